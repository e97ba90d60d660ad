import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import type { Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();

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
