import { join } from 'node:path';
import { Readable } from 'node:stream';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { findUnservable, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { loadSound, outline, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();

class Refused extends Error {
  override name = 'Refused';
}
const refused = new Refused('no');

/** A function of one kind; it fails when given `fail`. */
type Subject = (how: 'return' | 'fail') => unknown;

function answer(how: 'return' | 'fail'): { readonly found: number } {
  if (how === 'fail') throw refused;
  return { found: 1 };
}

class Catalogue {
  readonly #found = 1;
  find(how: 'return' | 'fail'): unknown {
    return { ...answer(how), found: this.#found };
  }
}

/** Kinds of function that answer with data: each wrapped as a tool or as a request, and as it is. */
const DATA: readonly [kind: string, bare: Subject, traced: Subject][] = [
  ['a sync tool', answer, traceTool('subject', answer)],
  ['an async tool', async (how) => answer(how), traceTool('subject', async (how: 'return' | 'fail') => answer(how))],
  [
    'a tool that returns a promise',
    (how) => Promise.resolve(how).then(answer),
    traceTool('subject', (how: 'return' | 'fail') => Promise.resolve(how).then(answer)),
  ],
  [
    'a method',
    method((catalogue) => catalogue),
    method((catalogue) => {
      catalogue.find = traceTool('subject', catalogue.find);
      return catalogue;
    }),
  ],
  ['a sync request', answer, (how) => llmRequest({ model: 'subject', input: how, call: () => answer(how) })],
  [
    'an async request',
    async (how) => answer(how),
    (how) => llmRequest({ model: 'subject', input: how, call: async () => answer(how) }),
  ],
];

function method(prepare: (catalogue: Catalogue) => Catalogue): Subject {
  const catalogue = prepare(new Catalogue());
  return (how) => catalogue.find(how);
}

/** What a caller sees of a call: by value or by promise, returned or thrown, and what. */
async function seen(call: () => unknown): Promise<readonly unknown[]> {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return ['threw', error];
  }
  if (!(result instanceof Promise)) return ['returned', result];
  return result.then(
    (value) => ['resolved', value],
    (error) => ['rejected', error],
  );
}

async function recorded(call: () => unknown): Promise<{ readonly seen: readonly unknown[]; readonly trace: Trace }> {
  const path = join(directory(), 'run.sftrace');
  const result = await record('agent', { output: path }, () => seen(call));
  return { seen: result, trace: loadSound(path) };
}

describe.each(DATA)('%s', (kind, bare, traced) => {
  const isTool = !kind.endsWith('request');
  const call = isTool ? '1 tool_call subject < 0' : '1 llm_request < 0';

  it('B162 behaves as it does bare where nothing records', async () => {
    expect(await seen(() => traced('return'))).toEqual(await seen(() => bare('return')));
    expect(await seen(() => traced('fail'))).toEqual(await seen(() => bare('fail')));
  });

  it('returns what it does bare, recorded', async () => {
    const { seen: result, trace } = await recorded(() => traced('return'));
    expect(result).toEqual(await seen(() => bare('return')));
    expect(outline(trace)).toEqual([
      '0 run_start',
      call,
      isTool ? '2 tool_result subject < 1' : '2 llm_response < 1',
      '3 run_end',
    ]);
    expect(trace.events[2]).toMatchObject({ output: { found: 1 }, status: 'ok' });
  });

  it('throws or rejects as it does bare, with the same error, recorded', async () => {
    const { seen: result, trace } = await recorded(() => traced('fail'));
    expect(result).toEqual(await seen(() => bare('fail')));
    expect(result[1]).toBe(refused);
    expect(outline(trace)).toEqual([
      '0 run_start',
      call,
      ...(isTool
        ? ['2 tool_result subject < 1', '3 error Refused < 2', '4 run_end']
        : ['2 error Refused < 1', '3 run_end']),
    ]);
  });
});

async function* pages(): AsyncGenerator<number> {
  yield 1;
  yield 2;
}

async function collect(stream: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of stream as AsyncIterable<unknown>) items.push(item);
  return items;
}

/** Kinds of function that answer with a stream, which this version hands on without recording what runs through. */
const STREAMS: readonly [kind: string, bare: () => unknown][] = [
  [
    'a generator',
    function* () {
      yield 1;
      yield 2;
    },
  ],
  ['an async generator', pages],
  ['a function that returns a ReadableStream', () => ReadableStream.from([1, 2])],
  ['a function that returns a Readable', () => Readable.from([1, 2])],
  ['a function that returns an async iterable', () => ({ abort: () => {}, [Symbol.asyncIterator]: pages })],
  ['a function that promises a stream', async () => ReadableStream.from([1, 2])],
];

describe.each(STREAMS)('%s', (kind, bare) => {
  it('B168 hands its stream on untouched, and records a placeholder that no replay serves, with a warning', async () => {
    let made: unknown;
    const tool = traceTool(kind, () => {
      made = bare();
      return made;
    });
    expect(await collect(await tool())).toEqual([1, 2]);

    const path = join(directory(), 'run.sftrace');
    const items = await record('agent', { output: path }, async () => {
      const given = tool();
      if (!(given instanceof Promise)) expect(given).toBe(made);
      return collect(await given);
    });
    expect(items).toEqual([1, 2]);
    const trace = loadSound(path);
    const result = trace.events.find((event) => event.type === 'tool_result');
    expect(findUnservable(result?.output ?? null)).toBe('$');
    expect(trace.runtime).toContainEqual({
      type: 'placeholder',
      event_id: result?.id,
      path: '/output',
      reason: expect.stringContaining('a stream'),
    });
    const [warning] = await warnings('unserializable');
    expect(warning).toContain(`tool '${kind}': /output (class `);
  });

  it('stays a generator function where it is one', () => {
    expect(Object.prototype.toString.call(traceTool('t', bare))).toBe(Object.prototype.toString.call(bare));
  });
});
