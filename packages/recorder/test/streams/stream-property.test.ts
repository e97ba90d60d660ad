import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Seen } from '../support/stream-consumers.js';
import { streamOutcome, streamRecords } from '../support/stream-records.js';
import { SUBJECTS } from '../support/stream-subjects.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 500 : 15;

/** Records one call of a streaming function and what its consumer does. */
async function recorded<T>(make: () => unknown, consume: (stream: never) => Promise<T> | T): Promise<[T, Trace]> {
  const directory = mkdtempSync(join(tmpdir(), 'stepfork-streams-'));
  try {
    const output = join(directory, 'run.sftrace');
    const tool = traceTool('subject', make);
    const result = await record('agent', { output }, async () => consume((await tool()) as never));
    return [result, loadTrace(output)];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const plans = fc.record({ chunks: fc.array(fc.nat({ max: 255 }), { maxLength: 6 }), fails: fc.boolean() });
const reads = fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(Number.POSITIVE_INFINITY));

describe.each(SUBJECTS)('$name', (subject) => {
  it('is seen as it is bare, and recorded as it was seen', async () => {
    await fc.assert(
      fc.asyncProperty(plans, reads, async (plan, most) => {
        const bareLog: string[] = [];
        const bare = await subject.consume(subject.make(plan, bareLog) as never, most);
        const log: string[] = [];
        const [seen, trace] = await recorded(
          () => subject.make(plan, log),
          (stream) => subject.consume(stream, most),
        );
        expect({ seen, log }).toEqual({ seen: bare, log: bareLog });
        checkRecords(seen, trace, subject.stopsSilently === true);
      }),
      { numRuns: RUNS },
    );
  });
});

/** The records hold what the consumer saw; of what was under way when it stopped, perhaps a chunk more. */
function checkRecords(seen: Seen, trace: Trace, stopsSilently: boolean): void {
  const { chunks } = streamRecords(trace);
  const given = chunks.map((chunk) => (typeof chunk === 'number' ? chunk : (chunk as Uint8Array)[0]));
  if (seen.end !== 'stopped') expect(given).toEqual(seen.chunks);
  expect(given.slice(0, seen.chunks.length)).toEqual(seen.chunks);
  if (typeof seen.end === 'object') {
    expect(trace.events[2]).toMatchObject({ type: 'tool_result', status: 'error' });
    expect(trace.events[3]).toMatchObject({ type: 'error', error_type: 'RangeError', message: 'no more' });
  } else if (seen.end === 'stopped' && stopsSilently) {
    expect(trace.events[2]).toMatchObject({ type: 'run_end' });
  } else {
    const outcome = streamOutcome(trace, 2);
    expect(outcome.chunks).toEqual(chunks);
    if (seen.end === 'done') expect(outcome.end).toBe('complete');
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('next' as const), value: fc.option(fc.nat()) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('return' as const), value: fc.option(fc.nat()) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('throw' as const), value: fc.option(fc.nat()) }) },
  ),
  { maxLength: 8 },
);
type Steps = typeof steps extends fc.Arbitrary<infer T> ? T : never;

/** Answers what it is sent, catches what is thrown into it once, and has the last word when it is returned. */
function* stubborn(): Generator<unknown, string> {
  let sent: unknown = 'nothing';
  try {
    for (let n = 0; n < 4; n++) {
      try {
        sent = yield [n, sent];
      } catch (caught) {
        if (n > 1) throw caught;
        sent = yield ['caught', caught];
      }
    }
    return 'end';
  } finally {
    yield 'last';
  }
}

async function* stubbornLater(): AsyncGenerator<unknown, string> {
  return yield* stubborn();
}

type Told = readonly unknown[];

/** All at once, so that the requests of an async generator queue up. */
async function drive(generator: Generator | AsyncGenerator, script: Steps, together: boolean): Promise<Told[]> {
  const step = async (each: Steps[number]): Promise<Told> => {
    try {
      const { done, value } = await (each.value === null && each.do === 'next'
        ? generator.next()
        : generator[each.do](each.value as never));
      return [done, value];
    } catch (thrown) {
      return ['threw', thrown];
    }
  };
  if (together) return Promise.all(script.map(step));
  const told: Told[] = [];
  for (const each of script) told.push(await step(each));
  return told;
}

describe.each<[string, () => Generator | AsyncGenerator]>([
  ['a generator', stubborn],
  ['an async generator', stubbornLater],
])('%s that is driven by hand', (_kind, make) => {
  it('answers as it does bare, and its records hold each chunk up to its end', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (script, together) => {
        const bare = await drive(make(), script, together);
        const [told, trace] = await recorded(make, (generator) => drive(generator, script, together));
        expect(told).toEqual(bare);
        const end = told.findIndex(([done]) => done !== false);
        const given = (end === -1 ? told : told.slice(0, end)).map(([, value]) => value);
        const { chunks, records } = streamRecords(trace);
        expect(chunks).toEqual(given);
        const sent = script
          .slice(0, given.length)
          .map((each) => (each.do === 'next' ? (each.value ?? undefined) : undefined));
        expect(records.map((entry) => entry.sent)).toEqual(sent);
        if (end === -1) expect(trace.events[2]?.type).toBe('run_end');
        else if (told[end]?.[0] === 'threw') expect(trace.events[3]?.type).toBe('error');
        else expect(streamOutcome(trace, 2).returned ?? undefined).toEqual(told[end]?.[1] ?? undefined);
      }),
      { numRuns: RUNS * 4 },
    );
  });
});
