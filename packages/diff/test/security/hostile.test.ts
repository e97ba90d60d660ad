import { addEvent, createTrace, type Json, parseJson, toolCallEvent, toolResultEvent } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { diffTraces, formatDiff } from '../../src/index.js';
import { differences } from '../support/outline.js';
import { runOf } from '../support/run-builder.js';

const returning = (output: Json) => runOf([{ tool: 'fetch', input: { output }, output }]);

describe('a hostile bundle', () => {
  test.each<readonly [string, Json, Json]>([
    ['lone surrogates', '\ud800', '\udbff'],
    ['numbers beyond any number', parseJson('[1e400]'), parseJson('[-1e400]')],
    ['prototypes', parseJson('{"__proto__":{"polluted":1}}'), parseJson('{"__proto__":{"polluted":2}}')],
    ['tags that are none', { $stepfork: ['map'] }, { $stepfork: { a: 1 } }],
    ['a very long key', { ['k'.repeat(1_000_000)]: [1, 2] }, { ['k'.repeat(1_000_000)]: [2, 3] }],
  ])('is compared though it holds %s', (_what, a, b) => {
    expect(diffTraces(returning(a), returning(a)).equivalent).toBe(true);
    const result = diffTraces(returning(a), returning(b));
    expect(result.counts).toMatchObject({ changed: 1, unchanged: 1 });
    expect(formatDiff(result).length).toBeLessThan(2000);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('is compared though the same id is given to many events and parents are missing', () => {
    const build = (output: Json) => {
      const trace = createTrace({ agentName: 'agent' });
      for (let n = 0; n < 5; n++) {
        addEvent(trace, toolCallEvent({ id: 'evt', name: 'fetch', input: n, parent_id: 'gone' }));
        addEvent(trace, toolResultEvent({ id: 'evt', name: 'fetch', output, parent_id: 'evt' }));
      }
      return trace;
    };
    expect(diffTraces(build(1), build(1)).equivalent).toBe(true);
    expect(diffTraces(build(1), build(2)).counts).toMatchObject({ added: 0, removed: 0 });
  });

  test('is compared though its calls are nested deeper than any stack', () => {
    const nest = (last: number) => {
      const trace = createTrace({ agentName: 'agent' });
      let parent: string | null = null;
      for (let n = 0; n < 5000; n++) {
        parent = addEvent(trace, toolCallEvent({ name: 'down', input: n === 4999 ? last : n, parent_id: parent })).id;
      }
      return trace;
    };
    expect(differences(diffTraces(nest(1), nest(2)))).toEqual(['changed tool down 4999→4999: input']);
  });

  test('may hold a value nested too deep, which is refused with a code', () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const [flat, tall] = [runOf([{ tool: 'fetch', output: 1 }]), runOf([{ tool: 'fetch', output: deep }])];
    expect(() => diffTraces(flat, tall)).toThrow(expect.objectContaining({ code: 'not_canonical' }));
  });
});

describe('a long trace', { timeout: 120_000 }, () => {
  const length = process.env.STEPFORK_FULL === '1' ? 100_000 : 2000;
  const calls = Array.from({ length }, (_, n) => ({ tool: `tool_${n % 7}`, input: { n }, output: { n } }));

  test('with a call inserted at the front has one added step', () => {
    const result = diffTraces(runOf(calls), runOf([{ tool: 'first' }, ...calls]));
    expect(result.counts).toEqual({ unchanged: length + 1, changed: 0, moved: 0, added: 1, removed: 0 });
  });

  test('with changes here and there has these', () => {
    const changed = calls.map((call, n) => (n % 100 === 50 ? { ...call, output: { n: -n } } : call));
    const result = diffTraces(runOf(calls), runOf(changed.toSpliced(10, 1)));
    expect(result.counts).toMatchObject({ changed: length / 100, removed: 1, added: 0, moved: 0 });
  });

  test('in reverse order is mostly moved steps', () => {
    const result = diffTraces(runOf(calls), runOf(calls.toReversed()));
    expect(result.counts).toMatchObject({ changed: 0, added: 0, removed: 0 });
    expect(result.counts.moved).toBeGreaterThan(length / 2);
  });

  test('says that its diff is approximate when the search had to be cut short', () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 50;
    };
    const some = () => runOf(Array.from({ length: 6000 }, () => ({ tool: 'fetch', input: random(), output: 1 })));
    const result = diffTraces(some(), some());
    expect(result.approximate).toBe(true);
    expect(result.counts.unchanged + result.counts.moved).toBeGreaterThan(3000);
  });
});
