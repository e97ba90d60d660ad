import type { PlacesByCall } from '@stepfork/replay';
import { displayText, StepforkError } from '@stepfork/trace-format';

/** `tool:search=/now`, by the call. A name may hold a `=`; a pointer begins with `/`. */
export function ignoredPlaces(given: readonly string[]): PlacesByCall {
  const places = new Map<string, string[]>();
  for (const text of given) {
    const [, call, pointer] = /^(.+?)=((?:\/.*)?)$/s.exec(text) ?? [];
    if (call === undefined || pointer === undefined) {
      throw new StepforkError(
        'usage',
        `--ignore needs a call and a JSON Pointer, like tool:search=/now, not '${displayText(text)}'`,
      );
    }
    places.set(call, [...(places.get(call) ?? []), pointer]);
  }
  return Object.fromEntries(places);
}
