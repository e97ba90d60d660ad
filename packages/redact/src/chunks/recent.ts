/** Values by name, as many as fit: those that were not asked for for longest are dropped. */
export class Recent<T> {
  readonly #most: number;
  readonly #values = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string, make: () => T): T {
    const value = this.#values.get(name) ?? make();
    this.put(name, value);
    return value;
  }

  put(name: string, value: T): void {
    // Last is what was asked for last.
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value as string);
  }
}
