import { traceTool } from '@stepfork/recorder';
import { loadTrace, type RuntimeRecord, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const ask = traceTool('ask', (_input: object) => ({
  id: 'r1',
  [Symbol.asyncIterator]: async function* () {
    yield 1;
    yield 2;
  },
}));

type Asked = ReturnType<typeof ask>;

async function recorded(use: (stream: Asked) => unknown): Promise<Trace> {
  return loadTrace(await recordRun(() => use(ask({}))));
}

/** The trace with its records of streams changed. */
function changed(trace: Trace, change: (record: object) => object): Trace {
  const runtime = trace.runtime.map((record) =>
    record.type === 'stream' || record.type === 'chunk' ? (change(record) as RuntimeRecord) : record,
  );
  return { ...trace, runtime };
}

async function readAll(stream: Asked): Promise<number[]> {
  const seen: number[] = [];
  for await (const chunk of stream) seen.push(chunk);
  return seen;
}

describe('a member of a stream', () => {
  it('that could not be recorded is refused where it is touched, and only there', async () => {
    const members = { id: 'r1', controller: { $stepfork: 'instance', class: 'AbortController', fields: {} } };
    const trace = changed(await recorded(readAll), (record) => ({ ...record, members }));
    expect(
      await replay(
        trace,
        asAgent(() => readAll(ask({}))),
      ),
    ).toMatchObject({ verdict: 'matched', output: [1, 2] });
    const touch = () => (ask({}) as Asked & { controller: unknown }).controller;
    const report = await replay(trace, asAgent(touch));
    expect(report.divergence).toMatchObject({
      code: 'unservable',
      message: "call #1: tool 'ask' was asked for its member 'controller', which could not be recorded",
    });
  });

  it('is data, whatever its name', async () => {
    const members = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "id": "r1"}') as object;
    const trace = changed(await recorded(readAll), (record) => ({ ...record, members }));
    const agent = () => {
      const stream = ask({});
      return [Object.keys(stream).sort(), (stream as { polluted?: boolean }).polluted ?? 'not'];
    };
    expect((await replay(trace, asAgent(agent))).output).toEqual([['__proto__', 'constructor', 'id'], 'not']);
  });
});

describe('records of a stream', () => {
  const agent = asAgent(() => readAll(ask({})));

  it.each<[string, (record: object) => object]>([
    ['that all stand at one place', (record) => ({ ...record, step: 0, order: 0 })],
    ['that stand far behind the end', (record) => ({ ...record, step: 1e15, order: -1 })],
    [
      'of chunks in reverse',
      (record) => ('index' in record ? { ...record, order: 9 - (record.index as number) } : record),
    ],
    ['of other calls', (record) => ({ ...record, call_id: 'evt_other' })],
    ['of chunks with gaps', (record) => ('index' in record ? { ...record, index: 5 } : record)],
  ])('%s make no replay hang, and give nothing that was not recorded', async (_what, change) => {
    const report = await replay(changed(await recorded(readAll), change), agent, { noProgressMs: 100 });
    expect([[1, 2], null]).toContainEqual(report.output);
    expect(report.verdict === 'matched').toBe(report.output !== null);
  });
});

describe('ten thousand chunks', () => {
  it('are given in order', async () => {
    const many = traceTool('many', async function* () {
      for (let n = 0; n < 10_000; n++) yield n;
    });
    const agent = async () => {
      let sum = 0;
      for await (const n of many()) sum = (sum * 31 + n) % 1_000_003;
      return sum;
    };
    expect(await replay(await recordRun(agent), asAgent(agent))).toMatchObject({ verdict: 'matched', notes: [] });
  });
});
