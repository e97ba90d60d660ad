/** Gives equal texts one small number, so that sequences of texts are compared as sequences of numbers. */
export function createInterner(): (text: string) => number {
  const ids = new Map<string, number>();
  return (text) => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = ids.size;
    ids.set(text, id);
    return id;
  };
}
