import { performance as nodePerformance } from 'node:perf_hooks';
import { record, traceTool } from '@stepfork/recorder';
import { loadTrace, type RuntimeRecord } from '@stepfork/trace-format';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RecordedReads } from '../../src/clock/recorded-reads.js';
import { type ReplayReport, replay } from '../../src/index.js';
import { bundlePath, sleep } from '../recording.js';

const NativeDate = Date;
const look = traceTool('look', async (at: unknown) => {
  await sleep(3);
  return { at, read: Date.now() };
});

async function recorded(agent: () => unknown): Promise<string> {
  const output = bundlePath();
  await record('agent', { output, clock: true }, agent);
  return output;
}
const again = (path: string, agent: () => unknown): Promise<ReplayReport> =>
  replay(path, () => record('agent', { clock: true }, agent));
const readsIn = (path: string): RuntimeRecord[] => loadTrace(path).runtime.filter(({ type }) => type === 'clock');

/** Takes some time of the processor's, which no clock of a replay knows. */
function compute(): number {
  let sum = 0;
  for (let i = 0; i < 1e6; i++) sum += Math.sqrt(i);
  return sum;
}

/** Tells every tool the very times that it reads, of every clock and in every way. */
async function stopwatch(): Promise<unknown> {
  const times: unknown[] = [Date.now(), performance.now(), nodePerformance.now(), new Date().toISOString()];
  compute();
  times.push(Date.now(), performance.now(), `${Date().slice(0, 15)}`);
  await sleep(5);
  await look([...times]);
  times.push(new Date());
  compute();
  times.push(performance.now(), performance.timeOrigin);
  return look([...times]);
}

test('a run that reads every clock replays to the millisecond, and to the microsecond', async () => {
  const path = await recorded(stopwatch);
  expect(Date).toBe(NativeDate);
  for (let i = 0; i < 3; i++) expect(await again(path, stopwatch)).toMatchObject({ verdict: 'matched' });
  vi.setSystemTime(0);
  expect(await again(path, stopwatch)).toMatchObject({ verdict: 'matched' });
  vi.useRealTimers();
});

test('branches that go on side by side read their own times', async () => {
  const agent = (): Promise<unknown> =>
    Promise.all(
      [300, 1, 150].map(async (ms) => {
        await sleep(ms);
        const began = performance.now();
        await look({ ms, date: Date.now() });
        compute();
        return look({ ms, took: performance.now() - began });
      }),
    );
  const path = await recorded(agent);
  for (let i = 0; i < 2; i++) expect(await again(path, agent)).toMatchObject({ verdict: 'matched' });
});

test('an agent that reads the clock more often, or less, keeps its other times', async () => {
  const agent = (reads: number) => async (): Promise<unknown> => {
    for (let i = 0; i < reads; i++) if (i > 0) new Date();
    await look('first');
    return look(Date.now());
  };
  for (const [before, after] of [
    [1, 4],
    [4, 1],
  ] as const) {
    const path = await recorded(agent(before));
    expect(await again(path, agent(after))).toMatchObject({ verdict: 'matched' });
  }
});

test('what the body of a call reads, and what is read outside the run, is not kept', async () => {
  const path = await recorded(async () => {
    const one = look('a');
    await one;
    return Date.now();
  });
  Date.now();
  const output = loadTrace(path).events.at(-1);
  expect(readsIn(path)).toMatchObject([{ reads: [['date', output?.type === 'run_end' ? output.output : null]] }]);
});

test('without `clock` nothing is kept, and Date is left alone', async () => {
  const output = bundlePath();
  let seen: unknown;
  await record('agent', { output }, () => {
    seen = Date;
    return Date.now();
  });
  expect([seen, readsIn(output)]).toEqual([NativeDate, []]);
});

test('who waits for the time in a loop ends, in the recording and in the replay', async () => {
  const agent = async (): Promise<string> => {
    for (const end = Date.now() + 30; Date.now() < end; );
    return 'waited';
  };
  const path = await recorded(agent);
  const [kept] = readsIn(path);
  expect(kept?.type === 'clock' && kept.reads.length).toBe(1000);
  expect(await again(path, agent)).toMatchObject({ verdict: 'matched', output: 'waited' });
});

test('a recorded run and a replayed one that go on at once have times of their own', async () => {
  const path = await recorded(stopwatch);
  const [report, other] = await Promise.all([again(path, stopwatch), recorded(stopwatch)]);
  expect(report).toMatchObject({ verdict: 'matched' });
  expect(await again(other, stopwatch)).toMatchObject({ verdict: 'matched' });
  expect(Date).toBe(NativeDate);
  expect(new Date().constructor).toBe(NativeDate);
});

test('a date that is none is not kept, and stops nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Number.NaN });
  const path = await recorded(() => Date.now()).finally(() => vi.useRealTimers());
  expect(loadTrace(path).status).toBe('completed');
});

test('a read takes only what was read in its place, in order', () => {
  const place = fc.nat(6);
  const clock = fc.constantFrom('date' as const, 'performance' as const);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(place, clock)).map((list) => [...list].sort(([a], [b]) => a - b)),
      fc.array(fc.tuple(place, clock)).map((list) => [...list].sort(([a], [b]) => a - b)),
      (kept, asked) => {
        const reads = new RecordedReads(
          kept.map(([at, name], value) => ({ position: 2 * at + 1, read: [name, value] })),
        );
        const left = kept.map(([at, name], value) => ({ at, name, value }));
        for (const [at, name] of asked) {
          const index = left.findIndex((each) => each.at === at && each.name === name);
          const expected = index < 0 ? null : (left.splice(index, 1)[0]?.value ?? null);
          expect(reads.next(name, 2 * at, 2 * at + 2)).toBe(expected);
        }
      },
    ),
  );
});
