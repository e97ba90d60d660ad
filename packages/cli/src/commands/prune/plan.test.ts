import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../traces/glance.js';
import { planPrune, whySpared } from './plan.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

function runAt(at: number, more: Partial<Run> = {}): Run {
  const name = `run_${at}`;
  const facts = { agent_name: 'a', created_at: '', status: 'completed', failure: null, events: 0, tags: {} } as const;
  const none = { calls: { tool: 0, llm: 0 }, duration_ms: null, cost_usd: null, packed: false, unfinished: false };
  const place = { path: `${name}.sftrace`, run_id: name, createdAt: NOW - at * 1000, size: 10, writtenAt: 0 };
  return { ...facts, ...none, ...place, ...more };
}

/** Newest first: made 0, 1, 2, … seconds ago. */
const runs = (count: number): Run[] => Array.from({ length: count }, (_, at) => runAt(at));
const idsOf = (doomed: readonly { run: Run }[]): string[] => doomed.map(({ run }) => run.run_id);

describe('planPrune', () => {
  it('lets go what any limit says', () => {
    const plan = planPrune(runs(5), { keepLast: 4, olderThan: 2500 }, NOW, () => null);
    expect(plan.doomed.map(({ run, reasons }) => [run.run_id, ...reasons])).toEqual([
      ['run_3', 'older than 2 s'],
      ['run_4', 'not of the newest 4', 'older than 2 s'],
    ]);
  });

  it('lets the oldest go until the rest has room', () => {
    expect(idsOf(planPrune(runs(5), { maxSize: 30 }, NOW, () => null).doomed)).toEqual(['run_3', 'run_4']);
    expect(planPrune(runs(5), { maxSize: 50 }, NOW, () => null).doomed).toEqual([]);
  });

  it('does not count a kept run among the newest, and counts the room that it takes', () => {
    const isSparing = ({ run_id }: Run): string | null => (run_id === 'run_1' ? 'it is kept' : null);
    const counted = planPrune(runs(4), { keepLast: 2 }, NOW, isSparing);
    expect(idsOf(counted.doomed)).toEqual(['run_3']);
    const measured = planPrune(runs(4), { maxSize: 20 }, NOW, isSparing);
    expect(idsOf(measured.doomed)).toEqual(['run_2', 'run_3']);
    expect(planPrune(runs(4), { keepLast: 0 }, NOW, isSparing).spared).toEqual([
      { path: 'run_1.sftrace', why: 'it is kept' },
    ]);
  });

  it('never lets go what is spared, and never a newer run before an older one', () => {
    const limits = fc.record({
      keepLast: fc.option(fc.nat(12), { nil: undefined }),
      olderThan: fc.option(fc.nat(12_000), { nil: undefined }),
      maxSize: fc.option(fc.nat(150), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), limits, (kept, given) => {
        const all = runs(kept.length);
        const isSparing = (run: Run): string | null => (kept[all.indexOf(run)] ? 'kept' : null);
        const doomed = new Set(planPrune(all, given, NOW, isSparing).doomed.map(({ run }) => run));
        expect(all.filter((run) => isSparing(run) !== null && doomed.has(run))).toEqual([]);
        const free = all.filter((run) => isSparing(run) === null);
        const first = free.findIndex((run) => doomed.has(run));
        expect(first === -1 ? [] : free.slice(first).filter((run) => !doomed.has(run))).toEqual([]);
      }),
    );
  });
});

describe('whySpared', () => {
  it('spares what was written to within the hour, and says so', () => {
    const minute = 60_000;
    const fresh = runAt(1, { unfinished: true, writtenAt: NOW - 5 * minute });
    expect(whySpared(fresh, NOW, () => false, false)).toBe('it may still be recorded: it was written to 5 min ago');
    expect(whySpared({ ...fresh, writtenAt: NOW - 61 * minute }, NOW, () => false, false)).toBeNull();
    expect(whySpared({ ...fresh, unfinished: false }, NOW, () => false, false)).toBeNull();
    expect(whySpared(runAt(1), NOW, () => true, false)).toBe('it is kept');
    expect(whySpared(runAt(1), NOW, () => false, true)).toBe('it is a link to somewhere else');
  });
});
