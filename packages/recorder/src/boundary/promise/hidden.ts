/** Values kept in other objects, where nobody else sees them. */
export interface Hidden<T> {
  readonly get: (object: object) => T | undefined;
  readonly set: (object: object, value: T) => void;
}

/** A constructor that gives what it is called with, so that the private field of a class upon it is put there. */
const Given = function given(object: object): object {
  return object;
} as unknown as new (
  object: object,
) => object;

/**
 * As a `WeakMap`, but with nothing to be collected beside the objects: a table of every promise of a busy agent would
 * cost the garbage collector more than its recording costs.
 */
export function hidden<T>(): Hidden<T> {
  class Holder extends Given {
    #value: T;

    constructor(object: object, value: T) {
      super(object);
      this.#value = value;
    }

    static get(object: object): T | undefined {
      return #value in object ? object.#value : undefined;
    }

    static set(object: object, value: T): void {
      if (#value in object) object.#value = value;
      else new Holder(object, value);
    }
  }
  return Holder;
}
