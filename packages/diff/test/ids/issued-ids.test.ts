import type { Json } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffTraces } from '../../src/index.js';
import { differences } from '../support/outline.js';
import { type Deed, runOf } from '../support/run-builder.js';

let issued = 0;
/** An id as a provider makes it, another one each time. */
const newId = (prefix = 'call_'): string => `${prefix}${String(++issued).padStart(6, '0')}aBcDeFgHiJkLmNoP`;

const ask = (input: Json, output: Json) => ({ model: 'small', provider: 'acme', input, output });

/** A model asks for tools by ids of its own, and is told their results by them. */
function conversation(
  cities: readonly string[],
  answered: (ids: readonly string[]) => readonly string[] = (ids) => ids,
) {
  const ids = cities.map(() => newId());
  const calls = cities.map((city, at) => ({ id: ids[at] as string, name: 'weather', arguments: { city } }));
  const results = answered(ids).map((id, at) => ({ tool_call_id: id, content: `weather of ${cities[at]}` }));
  return [
    ask({ text: 'go' }, { id: newId('chatcmpl-'), calls }),
    ...cities.map((city) => ({ tool: 'weather', input: { city }, output: `weather of ${city}` })),
    ask({ calls, results }, { id: newId('chatcmpl-'), text: 'done' }),
  ] satisfies Deed[];
}

describe('ids that a provider issued', () => {
  test.each(['call_', 'fc_', 'msg_', 'resp_', 'rs_', 'toolu_', 'srvtoolu_', 'chatcmpl-', 'req_'])(
    'are compared by first appearance, not by spelling: %s',
    (prefix) => {
      const build = () => {
        const id = newId(prefix);
        return runOf([ask('a', { id }), ask({ previous: id }, 'b')], { output: { last: id } });
      };
      expect(diffTraces(build(), build()).equivalent).toBe(true);
    },
  );

  test('find two live runs of one conversation equivalent', () => {
    expect(diffTraces(runOf(conversation(['Oslo', 'Rome'])), runOf(conversation(['Oslo', 'Rome']))).equivalent).toBe(
      true,
    );
  });

  test('that are echoed in another place are a change, by their names', () => {
    const swapped = conversation(['Oslo', 'Rome'], (ids) => ids.toReversed());
    const result = diffTraces(runOf(conversation(['Oslo', 'Rome'])), runOf(swapped));
    expect(differences(result)).toEqual([
      'changed llm acme/small 3→3: input.results[0].tool_call_id, input.results[1].tool_call_id',
    ]);
    expect(result.steps[3]?.changes).toMatchObject([
      { before: 'call_#2', after: 'call_#3' },
      { before: 'call_#3', after: 'call_#2' },
    ]);
  });

  test('do not hide a call that came between', () => {
    const one = [...conversation(['Oslo']), ...conversation(['Rome'])];
    const other = [...conversation(['Oslo']), ...conversation(['Bern']), ...conversation(['Rome'])];
    const { counts } = diffTraces(runOf(one), runOf(other));
    expect(counts).toEqual({ unchanged: 7, changed: 0, moved: 0, added: 3, removed: 0 });
  });

  test('are the same where a run names the other one’s, and others do not become them', () => {
    const [known, other] = [newId(), newId()];
    const one = runOf([ask('a', known), ask(known, 'b'), ask(other, 'c')]);
    const two = runOf([ask('a', known), ask(known, 'b'), ask(known, 'c')]);
    expect(differences(diffTraces(one, two))).toEqual(['changed llm acme/small 2→2: input']);
  });

  test.each([
    'call_customer',
    'call_customer_service_desk',
    'message_0123456789abcdef',
    'call_01',
    'a call_0123456789abcdef',
  ])('are told by their shape, which %j does not have', (text) => {
    expect(diffTraces(runOf([ask('a', text)]), runOf([ask('a', `${text}x`)])).equivalent).toBe(false);
  });

  test('have the mirrored difference when the sides are swapped', () => {
    const id = fc.nat(3).map((at) => `call_${'0123456789abcdef'.repeat(2)}${at}`);
    const deed = fc.tuple(fc.constantFrom('a', 'b'), id, id).map(([text, given, got]) => ask({ text, given }, got));
    const run = fc.array(deed, { maxLength: 6 });
    fc.assert(
      fc.property(run, run, (one, other) => {
        const there = diffTraces(runOf(one), runOf(other));
        const back = diffTraces(runOf(other), runOf(one));
        expect(back.counts).toEqual({ ...there.counts, added: there.counts.removed, removed: there.counts.added });
      }),
    );
  });

  test('renamed one for one leave a run equivalent', () => {
    const id = fc.nat(5);
    const deed = fc.tuple(fc.constantFrom('a', 'b'), id, id);
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 10 }), (deeds) => {
        const build = (spelling: string) => {
          const name = (at: number): string => `call_${spelling.repeat(8)}${at}`;
          return runOf(deeds.map(([text, given, got]) => ask({ text, given: name(given) }, name(got))));
        };
        expect(diffTraces(build('a1'), build('b2')).equivalent).toBe(true);
      }),
    );
  });
});
