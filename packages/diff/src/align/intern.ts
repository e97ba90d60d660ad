/** When elements are alike. */
export interface Identity<T> {
  /** The same for elements that are the same. */
  readonly fingerprint: (element: T) => number;
  readonly isSame: (element: T, other: T) => boolean;
  /** Shared by elements exactly when they are the same. */
  readonly text: (element: T) => string;
}

/** Places looked at for one element before its text decides: fingerprints that were made to meet cost no more. */
const MOST_LOOKS = 32;

/**
 * Gives equal elements one small number, so that sequences of elements are compared as sequences of numbers.
 *
 * @param most how many elements will be asked about
 */
export function createInterner<T>(most: number, { fingerprint, isSame, text }: Identity<T>): (element: T) => number {
  // By slot: the number of an element plus one; 0 is free. At most half of them are taken.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
  const mask = slots.length - 1;
  // By number.
  const elements: (T | null)[] = [];
  const fingerprints = new Int32Array(most);
  const byText = new Map<string, number>();

  const numberByText = (element: T): number => {
    const own = text(element);
    const known = byText.get(own);
    if (known !== undefined) return known;
    const number = elements.push(null) - 1;
    byText.set(own, number);
    return number;
  };

  return (element) => {
    const mark = fingerprint(element) | 0;
    for (let look = 0; look < MOST_LOOKS; look++) {
      const slot = (mark + look) & mask;
      const number = (slots[slot] as number) - 1;
      if (number < 0) {
        slots[slot] = elements.push(element);
        fingerprints[elements.length - 1] = mark;
        return elements.length - 1;
      }
      if (fingerprints[number] === mark && isSame(elements[number] as T, element)) return number;
    }
    return numberByText(element);
  };
}
