import { flights, QUERY } from '../data/flights.js';

export const SEARCH_PATH = '/search';
/** About 2 KB. */
export const QUESTION = JSON.stringify({ ...QUERY, seen: flights(1_500).flights });
/** About 4 KB. */
export const ANSWER = JSON.stringify(flights(4_096));
export const ANSWER_HEADERS = { 'content-type': 'application/json' } as const;
/** What one answer comes to, once it is read. */
const FOUND = flights(4_096).flights.length;

/** One search, its answer read to the end. */
export async function searchBy(fetching: typeof fetch, origin: string): Promise<number> {
  const response = await fetching(`${origin}${SEARCH_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: QUESTION,
  });
  const { flights: found } = (await response.json()) as { readonly flights: readonly unknown[] };
  return found.length;
}

/** An agent that makes `calls` searches, `abreast` at a time, and is sure that each was answered. */
export function searching(fetching: typeof fetch, origin: string, calls: number, abreast: number) {
  return async (): Promise<number> => {
    let found = 0;
    for (let made = 0; made < calls; made += abreast) {
      const wave = Array.from({ length: Math.min(abreast, calls - made) }, () => searchBy(fetching, origin));
      for (const one of await Promise.all(wave)) found += one;
    }
    if (found !== calls * FOUND) throw new Error(`${calls} searches that were measured found ${found} flights`);
    return found;
  };
}
