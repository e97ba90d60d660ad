import { type Json, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan } from './plan.js';

const call = (id: string, input: Json = {}) => toolCallEvent({ id, name: 'a', input });
const ended = (id: string, output: Json) => toolResultEvent({ name: 'a', output, parent_id: id });
const ambiguitiesOf = (...events: Parameters<typeof traceOf>[0]) =>
  createPlan(traceOf(events)).calls.map(({ ambiguity }) => ambiguity);

describe('ambiguity', () => {
  it('is there where identical calls overlapped and ended differently', () => {
    expect(ambiguitiesOf(call('1'), call('2'), ended('1', 1), ended('2', 2))).toEqual(['order', 'order']);
  });

  it('is not where they ended alike, or had other inputs', () => {
    expect(ambiguitiesOf(call('1'), call('2'), ended('1', 1), ended('2', 1))).toEqual(['none', 'none']);
    expect(ambiguitiesOf(call('1', 1), call('2', 2), ended('1', 1), ended('2', 2))).toEqual(['none', 'none']);
  });

  it('is a matter of order alone where they came one after the other', () => {
    expect(ambiguitiesOf(call('1'), ended('1', 1), call('2'), ended('2', 2))).toEqual(['apart', 'apart']);
  });

  it('is there beside a call that never ended', () => {
    expect(ambiguitiesOf(call('1'), call('2'), ended('2', 2))).toEqual(['order', 'order']);
  });

  it('is of another kind where the inputs hold redacted places', () => {
    const secret = { api_key: 'abcdefghijkl' };
    const events = [call('1', secret), call('2', secret), ended('1', 1), ended('2', 2)];
    expect(ambiguitiesOf(...events)).toEqual(['redaction', 'redaction']);
  });

  it('is what comparing every pair says', () => {
    const interval = fc.record({ start: fc.nat(30), length: fc.integer({ min: 1, max: 10 }), output: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 12 }), (intervals) => {
        const edges = intervals.flatMap(({ start, length, output }, i) => [
          { at: start, event: call(String(i)) },
          { at: start + length, event: ended(String(i), output) },
        ]);
        // A stable sort, so that every call starts before it ends.
        edges.sort((a, b) => a.at - b.at);
        const { calls } = createPlan(traceOf(edges.map(({ event }) => event)));
        for (const one of calls) {
          const rivals = calls.filter(
            (other) => other !== one && JSON.stringify(outputOf(other)) !== JSON.stringify(outputOf(one)),
          );
          const overlaps = rivals.some((other) => startOf(other) < endOf(one) && startOf(one) < endOf(other));
          expect(one.ambiguity).toBe(overlaps ? 'order' : rivals.length > 0 ? 'apart' : 'none');
        }
      }),
    );
  });
});

type Planned = ReturnType<typeof createPlan>['calls'][number];

const outputOf = ({ outcome }: Planned): unknown => (outcome?.type === 'returned' ? outcome.output : null);
const startOf = ({ start }: Planned): number => start.position;
const endOf = ({ end }: Planned): number => end?.position ?? Number.POSITIVE_INFINITY;
