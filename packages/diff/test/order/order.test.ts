import { addEvent, createTrace, runEndEvent, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { diffTraces } from '../../src/index.js';
import { differences, outline } from '../support/outline.js';
import { runOf, type ToolDeed } from '../support/run-builder.js';

const fetch = (n: number, output = n): ToolDeed => ({ tool: 'fetch', input: { n }, output });
const save = (n: number): ToolDeed => ({ tool: 'save', input: { n }, output: 'ok' });
const [one, two, three] = [fetch(1), fetch(2), fetch(3)];

describe('steps one after another', () => {
  test('that swapped places are one moved step', () => {
    const result = diffTraces(runOf([one, save(1)]), runOf([save(1), one]));
    expect(result.counts).toEqual({ unchanged: 2, changed: 0, moved: 1, added: 0, removed: 0 });
    expect(differences(result)).toHaveLength(1);
  });

  test('that moved and ended differently say both', () => {
    const result = diffTraces(
      runOf([one, save(1), save(2), save(3)]),
      runOf([save(1), save(2), save(3), fetch(1, 100)]),
    );
    expect(outline(result)).toEqual([
      'unchanged tool save 1→0',
      'unchanged tool save 2→1',
      'unchanged tool save 3→2',
      'moved tool fetch 0→3: output',
      'unchanged run run 4→4',
    ]);
  });

  test('prefer a counterpart with the same outcome when several calls moved', () => {
    const baseline = runOf([fetch(1, 10), fetch(1, 11), save(1), save(2), save(3)]);
    const candidate = runOf([save(1), save(2), save(3), fetch(1, 11), fetch(1, 10)]);
    expect(differences(diffTraces(baseline, candidate))).toEqual(['moved tool fetch 1→3', 'moved tool fetch 0→4']);
  });
});

describe('repeated calls', () => {
  const poll = (status: string): ToolDeed => ({ tool: 'poll', input: { id: 7 }, output: { status } });

  test('an inserted poll among changed neighbours is one added step', () => {
    const baseline = runOf([one, poll('pending'), poll('done'), save(1)]);
    const candidate = runOf([fetch(9), poll('queued'), poll('pending'), poll('done'), save(2)]);
    expect(differences(diffTraces(baseline, candidate))).toEqual([
      'changed tool fetch 0→0: input.n, output',
      'added tool poll -→1',
      'changed tool save 3→4: input.n',
    ]);
  });

  test('a dropped poll among changed neighbours is one removed step', () => {
    const baseline = runOf([one, poll('queued'), poll('pending'), poll('done'), save(1)]);
    const candidate = runOf([fetch(9), poll('pending'), poll('done'), save(2)]);
    expect(differences(diffTraces(baseline, candidate))).toEqual([
      'changed tool fetch 0→0: input.n, output',
      'removed tool poll 1→-',
      'changed tool save 4→3: input.n',
    ]);
  });
});

describe('neighbours', () => {
  test('with the same label are one changed step, in their order', () => {
    const result = diffTraces(runOf([save(0), one, two, save(9)]), runOf([save(0), fetch(5), fetch(6), save(9)]));
    expect(outline(result)).toEqual([
      'unchanged tool save 0→0',
      'changed tool fetch 1→1: input.n, output',
      'changed tool fetch 2→2: input.n, output',
      'unchanged tool save 3→3',
      'unchanged run run 4→4',
    ]);
  });

  test('are not looked for beyond a step that both runs have', () => {
    const result = diffTraces(runOf([one, save(1)]), runOf([save(1), two]));
    expect(differences(result)).toEqual(['removed tool fetch 0→-', 'added tool fetch -→1']);
  });

  test('of different kinds are never one step', () => {
    const result = diffTraces(runOf([one]), runOf([{ model: 'fetch', input: { n: 1 }, output: 1 }]));
    expect(differences(result)).toEqual(['removed tool fetch 0→-', 'added llm fetch -→0']);
  });
});

describe('calls that overlapped in both runs', () => {
  test('may begin in another order', () => {
    const result = diffTraces(runOf([{ all: [one, two, three] }]), runOf([{ all: [three, one, two] }]));
    expect(result.equivalent).toBe(true);
    expect(result.steps.map(({ baseline, candidate }) => [baseline, candidate])).toEqual([
      [2, 0],
      [0, 1],
      [1, 2],
      [3, 3],
    ]);
  });

  test('may end in another order, with their errors', () => {
    const failing = { tool: 'pay', input: { n: 1 }, failure: 'declined' };
    const failingToo = { tool: 'pay', input: { n: 2 }, failure: 'timed out' };
    const all = [failing, failingToo, three];
    const result = diffTraces(runOf([{ all, ends: [0, 1, 2] }]), runOf([{ all, ends: [2, 1, 0] }]));
    expect(result.counts).toMatchObject({ unchanged: 6 });
    expect(result.equivalent).toBe(true);
  });

  test('are still compared', () => {
    const result = diffTraces(runOf([{ all: [one, two, three] }]), runOf([{ all: [fetch(3, 30), fetch(4), one] }]));
    expect(differences(result)).toEqual(['changed tool fetch 2→0: output', 'changed tool fetch 1→1: input.n, output']);
  });

  test('may stay open until the end of the run', () => {
    const open = { ...one, open: true } as const;
    const result = diffTraces(runOf([{ all: [open, two] }]), runOf([{ all: [two, open] }]));
    expect(result.equivalent).toBe(true);
  });

  test('take what happened in them along', () => {
    const outer = (n: number): ToolDeed => ({ tool: 'outer', input: { n }, inside: [save(n), save(n + 10)] });
    const baseline = runOf([{ all: [outer(1), outer(2)], ends: [0, 1] }]);
    const candidate = runOf([{ all: [outer(2), outer(1)], ends: [0, 1] }]);
    expect(diffTraces(baseline, candidate).equivalent).toBe(true);
  });

  test('keep the order of what happened in one of them', () => {
    const outer = (...inside: ToolDeed[]): ToolDeed => ({ tool: 'outer', input: {}, inside });
    const baseline = runOf([{ all: [outer(save(1), save(2)), one] }]);
    const candidate = runOf([{ all: [outer(save(2), save(1)), one] }]);
    expect(diffTraces(baseline, candidate).counts).toMatchObject({ moved: 1, unchanged: 4 });
  });
});

describe('calls that overlapped in one run only', () => {
  test('are moved when their order changed', () => {
    expect(diffTraces(runOf([{ all: [one, two] }]), runOf([two, one])).counts).toMatchObject({ moved: 1 });
    expect(diffTraces(runOf([one, two]), runOf([{ all: [two, one] }])).counts).toMatchObject({ moved: 1 });
  });

  test('are unchanged when it did not', () => {
    expect(diffTraces(runOf([{ all: [one, two] }]), runOf([one, two])).equivalent).toBe(true);
  });
});

test('calls in order beside a long one that overlapped both are moved when they swap', () => {
  const long = { tool: 'long', input: {} };
  const build = (first: number, second: number) => {
    const trace = createTrace({ agentName: 'agent' });
    const call = addEvent(trace, toolCallEvent({ name: 'long', input: long.input }));
    for (const n of [first, second]) {
      const inner = addEvent(trace, toolCallEvent({ name: 'fetch', input: { n } }));
      addEvent(trace, toolResultEvent({ name: 'fetch', output: n, parent_id: inner.id }));
    }
    addEvent(trace, toolResultEvent({ name: 'long', output: 1, parent_id: call.id }));
    addEvent(trace, runEndEvent({ run_status: 'completed' }));
    return trace;
  };
  expect(diffTraces(build(1, 2), build(1, 2)).equivalent).toBe(true);
  expect(diffTraces(build(1, 2), build(2, 1)).counts).toMatchObject({ moved: 1, unchanged: 3 });
});
