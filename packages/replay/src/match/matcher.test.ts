import { toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan } from '../plan/plan.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { findMatch } from './find-match.js';
import { Matcher } from './matcher.js';

function matcherOf(...events: Parameters<typeof traceOf>[0]) {
  const { calls } = createPlan(traceOf(events));
  return { calls, matcher: new Matcher(calls) };
}

const call = (name: string, id = name, parent_id: string | null = null) =>
  toolCallEvent({ id, name, input: null, parent_id });
const ended = (id: string) => toolResultEvent({ name: id, output: id, parent_id: id });

describe('a live call', () => {
  it('takes the earliest untaken recording of its key', () => {
    const { calls, matcher } = matcherOf(call('a', '1'), call('b', '2'), call('a', '3'));
    const key = calls[0]?.fingerprint ?? '';
    const first = matcher.find(null, key);
    expect(first).toEqual({ call: calls[0], reparented: false });
    if (first !== null) matcher.take(first);
    expect(matcher.find(null, key)?.call).toBe(calls[2]);
    expect(matcher.untaken()).toEqual([calls[1], calls[2]]);
  });

  it('is answered from another frame where exactly one has its like', () => {
    const { calls, matcher } = matcherOf(call('outer'), call('inner', 'i', 'outer'), ended('i'), ended('outer'));
    const inner = calls[1] as PlannedCall;
    expect(matcher.find(null, inner.fingerprint)).toEqual({ call: inner, reparented: true });
  });

  it('is not answered where two other frames have its like', () => {
    const { calls, matcher } = matcherOf(
      call('a'),
      call('inner', '1', 'a'),
      call('b'),
      call('inner', '2', 'b'),
      ...['1', '2', 'a', 'b'].map(ended),
    );
    expect(matcher.find(null, calls[1]?.fingerprint ?? '')).toBeNull();
  });

  it('that was detached makes the other detached calls of its frame expected', () => {
    const { calls, matcher } = matcherOf(
      call('outer'),
      call('first', '1', 'outer'),
      call('second', '2', 'outer'),
      call('within', '3', 'outer'),
      ...['3', 'outer', '1', '2'].map(ended),
    );
    const outer = matcher.find(null, calls[0]?.fingerprint ?? '');
    if (outer !== null) matcher.take(outer);
    expect(matcher.untaken()).toEqual([]);
    const first = matcher.find(null, calls[1]?.fingerprint ?? '');
    if (first !== null) matcher.take(first);
    expect(matcher.untaken()).toEqual([calls[2]]);
    expect(matcher.expected).toBe(3);
  });

  it('is answered by a detached call that stands behind one that is over', () => {
    const { calls, matcher } = matcherOf(
      call('outer'),
      call('inner', '1', 'outer'),
      ended('1'),
      call('inner', '2', 'outer'),
      ended('outer'),
      ended('2'),
    );
    const [outer, over, detached] = calls as [PlannedCall, PlannedCall, PlannedCall];
    matcher.take({ call: outer, reparented: false });
    expect(matcher.find(null, over.fingerprint)?.call).toBe(over);
    matcher.answer(outer);
    expect(matcher.find(null, over.fingerprint)).toEqual({ call: detached, reparented: true });
  });

  it('under a strict order takes the next one or none', () => {
    const { calls, matcher } = matcherOf(call('a'), call('b'));
    const [a, b] = calls as [PlannedCall, PlannedCall];
    expect(findMatch(matcher, 'strict', null, b)).toBeNull();
    expect(findMatch(matcher, 'strict', null, a)?.call).toBe(a);
  });
});
