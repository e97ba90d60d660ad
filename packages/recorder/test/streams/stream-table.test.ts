import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { fromTraceValue, streamOf, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { loadSound, outline, ownDirectory } from '../support/bundles.js';
import type { Seen } from '../support/stream-consumers.js';
import { streamRecords } from '../support/stream-records.js';
import { type Plan, refused } from '../support/stream-sources.js';
import { SUBJECTS, type Subject } from '../support/stream-subjects.js';

const directory = ownDirectory();

const ALL: Plan = { chunks: [1, 2, 3], fails: false };
const FAILING: Plan = { chunks: [1, 2, 3], fails: true };
const NEVER = Number.POSITIVE_INFINITY;

const THEN = 'then';

/** An object with a `then` of its own, as an SDK's request is. */
function lazily(value: unknown): unknown {
  class Request {
    readonly #value = value;
    [THEN](onFulfilled: (value: unknown) => unknown): Promise<unknown> {
      return Promise.resolve({ value: this.#value }).then(({ value }) => onFulfilled(value));
    }
  }
  return new Request();
}

type Call = (body: () => unknown) => unknown;
const asTool: Call = (body) => traceTool('subject', body)();
const asRequest: Call = (body) => llmRequest({ model: 'subject', input: null, call: body });

const BOUNDARIES: readonly [boundary: string, kind: 'tool' | 'request', answered: 'sync' | 'promise', call: Call][] = [
  ['a tool that returns it', 'tool', 'sync', asTool],
  ['a tool that promises it', 'tool', 'promise', (body) => asTool(async () => body())],
  ['a tool that gives it by a thenable', 'tool', 'promise', (body) => asTool(() => lazily(body()))],
  ['a request that returns it', 'request', 'sync', asRequest],
  ['a request that promises it', 'request', 'promise', (body) => asRequest(async () => body())],
];

interface Run {
  readonly seen: Seen;
  /** What was asked of the source. */
  readonly log: readonly string[];
}

interface Case {
  readonly subject: Subject;
  readonly plan: Plan;
  readonly most: number;
}

async function bare({ subject, plan, most }: Case): Promise<Run> {
  const log: string[] = [];
  const seen = await subject.consume(subject.make(plan, log) as never, most);
  return { seen, log };
}

async function throughBoundary({ subject, plan, most }: Case, call: Call): Promise<Run> {
  const log: string[] = [];
  let made: unknown;
  const given = await call(() => {
    made = subject.make(plan, log);
    return made;
  });
  expect(subject.is(given)).toBe(true);
  expect(given).toBe(made);
  return { seen: await subject.consume(given as never, most), log };
}

describe.each(SUBJECTS)('$name', (subject) => {
  describe.each(BOUNDARIES)('of %s', (_boundary, kind, answered, call) => {
    const isTool = kind === 'tool';
    const opening = isTool ? '1 tool_call subject < 0' : '1 llm_request < 0';
    const answer = isTool ? '2 tool_result subject < 1' : '2 llm_response < 1';
    const asChunk = (chunk: number): unknown => (subject.isBytes ? new Uint8Array([chunk]) : chunk);

    async function recorded(of: Case): Promise<Run & { readonly trace: Trace }> {
      const path = join(directory(), 'run.sftrace');
      const run = await record('agent', { output: path }, () => throughBoundary(of, call));
      return { ...run, trace: loadSound(path) };
    }

    it.each<[string, Plan, number]>([
      ['read to its end', ALL, NEVER],
      ['failing', FAILING, NEVER],
      ['given up', ALL, 2],
    ])('B162 is what it is bare where nothing records: %s', async (_what, plan, most) => {
      const of = { subject, plan, most };
      expect(await throughBoundary(of, call)).toEqual(await bare(of));
    });

    it('B168 is recorded to its end', async () => {
      const of = { subject, plan: ALL, most: NEVER };
      const { trace, ...run } = await recorded(of);
      expect(run).toEqual(await bare(of));
      expect(outline(trace)).toEqual(['0 run_start', opening, answer, '3 run_end']);
      const chunks = ALL.chunks.map(asChunk);
      expect(streamRecords(trace)).toMatchObject({
        opening: { kind: subject.kind, answered, step: 2, order: 0 },
        chunks,
      });
      const { output, status } = trace.events[2] as { output?: never; status: string };
      const stream = streamOf(output ?? null);
      expect([status, stream?.kind, stream?.end]).toEqual(['ok', subject.kind, 'complete']);
      expect(stream?.chunks.map((chunk) => fromTraceValue(chunk))).toEqual(chunks);
      expect(trace.runtime.filter(({ type }) => type === 'call')).toEqual([]);
    });

    it('is recorded to the chunk where it fails, with the same error', async () => {
      const of = { subject, plan: FAILING, most: NEVER };
      const { trace, ...run } = await recorded(of);
      expect(run).toEqual(await bare(of));
      expect(run.seen.end).toEqual({ thrown: refused });
      expect(outline(trace)).toEqual([
        '0 run_start',
        opening,
        ...(isTool ? [answer, '3 error RangeError < 2', '4 run_end'] : ['2 error RangeError < 1', '3 run_end']),
      ]);
      expect(streamRecords(trace).chunks).toEqual(run.seen.chunks.map(asChunk));
    });

    it('is recorded to the chunk where it is given up', async () => {
      const of = { subject, plan: ALL, most: 2 };
      const { trace, ...run } = await recorded(of);
      expect(run).toEqual(await bare(of));
      const chunks = [1, 2].map(asChunk);
      expect(streamRecords(trace).chunks.slice(0, 2)).toEqual(chunks);
      if (subject.stopsSilently) {
        expect(outline(trace)).toEqual(['0 run_start', opening, '2 run_end']);
        return;
      }
      expect(outline(trace)).toEqual(['0 run_start', opening, answer, '3 run_end']);
      const stream = streamOf((trace.events[2] as { output?: never }).output ?? null);
      expect(stream?.end).toBe('cancelled');
      expect(stream?.chunks).toHaveLength(streamRecords(trace).chunks.length);
    });

    it('is recorded as given, and nothing more, where nobody reads it', async () => {
      const log: string[] = [];
      const path = join(directory(), 'run.sftrace');
      await record('agent', { output: path }, async () => {
        await call(() => subject.make(ALL, log));
      });
      expect(log).toEqual([]);
      const trace = loadSound(path);
      expect(outline(trace)).toEqual(['0 run_start', opening, '2 run_end']);
      expect(streamRecords(trace)).toMatchObject({ opening: { kind: subject.kind }, chunks: [] });
    });
  });
});
