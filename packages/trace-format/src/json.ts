/**
 * A JSON value as this format holds it. `bigint` stands for an integer whose digits a JavaScript number
 * would change (9007199254740993); every other number is a `number`.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object. `__proto__` is an ordinary key: build one with `Object.defineProperty` or a null prototype. */
export interface JsonObject {
  readonly [key: string]: Json;
}
