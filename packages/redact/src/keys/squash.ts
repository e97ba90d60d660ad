/** A key as ruleset 0.1 compares it: lower case, and nothing but a–z and 0–9. */
export function squash(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The words of a key, in lower case: `nextPageToken`, `next-page-token` and `NEXT_PAGE_TOKEN` are the same three. */
export function wordsOf(key: string): string[] {
  return key
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}
