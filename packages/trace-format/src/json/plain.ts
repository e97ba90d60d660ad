/**
 * Whether an object is plain data: no prototype, or one that is the end of its chain (`Object.prototype` of any
 * realm: jest gives each test file its own).
 */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
