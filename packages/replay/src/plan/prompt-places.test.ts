import { type RuntimeRecord, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../test/hand-built.js';
import { createPlan } from './plan.js';

function promptIn(turns: Readonly<Record<string, unknown>>): readonly boolean[] {
  const call = (id: string) => toolCallEvent({ id, name: id, input: null });
  const ended = (id: string) => toolResultEvent({ name: id, output: null, parent_id: id });
  const trace = traceOf([call('a'), call('b'), ended('a'), ended('b')]);
  const runtime = Object.entries(turns).map(
    ([call_id, each]) => ({ type: 'call', call_id, answered: 'promise', turns: each }) as RuntimeRecord,
  );
  return createPlan({ ...trace, runtime }).calls.map(({ isPrompt }) => isPrompt);
}

describe('an outcome', () => {
  it('is prompt where it came in the turn of its own call', () => {
    expect(promptIn({ a: [1, 1], b: [1, 2] })).toEqual([true, false]);
  });

  it('is prompt where it came in the turn of an outcome before it', () => {
    expect(promptIn({ a: [1, 2], b: [1, 2] })).toEqual([false, true]);
  });

  it('is not where the recording does not tell, or tells nonsense', () => {
    expect(promptIn({})).toEqual([false, false]);
    expect(promptIn({ a: 'x', b: [1] })).toEqual([false, false]);
  });
});
