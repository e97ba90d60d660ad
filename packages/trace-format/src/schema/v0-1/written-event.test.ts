import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyEvent } from '../../../test/support/every-event.js';
import { encodeEventLine } from '../../bundle/event-line.js';
import { parseJson } from '../../json/parse-json.js';
import type { Json } from '../../json.js';
import { parseWith } from '../parsed.js';
import { eventSchema } from './event.js';
import { asWritten } from './written-event.js';

const LINES = everyEvent().events.map((event) => parseJson(Buffer.from(encodeEventLine(event).bytes).toString()));

describe('an event as a writer puts it', () => {
  it('is taken as it stands', () => {
    for (const json of LINES) expect(asWritten(json)).toBe(json);
  });

  it('is what the schema makes of it, whenever it is taken', () => {
    const odd = fc.constantFrom<Json>(
      ...['', 'x', '\ud800', '2026-10-08T10:00:00+00:00', '2026-10-08T10:00:00.5Z', '3', 'ok', 'run_end', 'evt_'],
      ...[null, true, -1, 0, 0.5, 3, 2 ** 53, Number.POSITIVE_INFINITY, 10n ** 20n, [], ['a', ''], [1], {}],
    );
    const name = fc.constantFrom(
      ...new Set(LINES.flatMap((line) => Object.keys(line as object))),
      'other',
      '__proto__',
    );
    fc.assert(
      fc.property(fc.constantFrom(...LINES), fc.array(fc.tuple(name, odd), { maxLength: 2 }), (line, changes) => {
        const json = Object.fromEntries([...Object.entries(line as object), ...changes]) as Json;
        const taken = asWritten(json);
        if (taken === null) return;
        const parsed = parseWith(eventSchema, json);
        expect(parsed).toEqual({ ok: true, value: taken });
      }),
      { numRuns: 1000 },
    );
  });
});
