import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import { APICallError, generateText, type LanguageModel, streamText } from 'ai';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instrument } from '../src/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-own-model-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Model = Exclude<LanguageModel, string> & { specificationVersion: 'v3' };
type Generated = Awaited<ReturnType<Model['doGenerate']>>;
type Streamed = Awaited<ReturnType<Model['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer P> ? P : never;

const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const FINISH: Part = { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: 'stop' } };

/** A model that asks nobody, and counts how often it is asked. */
class OwnModel {
  readonly specificationVersion = 'v3';
  readonly provider = 'acme.chat';
  readonly modelId = 'own-1';
  readonly supportedUrls = {};
  readonly asked: unknown[] = [];
  /** As a class of a provider may have them. */
  readonly #parts: readonly Part[];
  isCancelled = false;

  constructor(...parts: readonly Part[]) {
    this.#parts = parts;
  }

  async doGenerate(options: unknown): Promise<Generated> {
    this.asked.push(options);
    const headers = { 'x-request-id': 'req_1', 'set-cookie': 'session=opaque' };
    const response = { id: 'r1', timestamp: new Date(1000), modelId: 'own-1-2026', headers };
    const content = [{ type: 'file' as const, mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }];
    return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage: USAGE, warnings: [], response };
  }

  async doStream(options: unknown): Promise<Streamed> {
    this.asked.push(options);
    const parts = this.#parts[Symbol.iterator]();
    const stream = new ReadableStream<Part>({
      pull: (controller) => {
        const { done, value } = parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => {
        this.isCancelled = true;
      },
    });
    return { stream, response: { headers: { 'x-request-id': 'req_2' } } };
  }
}

const delta = (text: string): Part => ({ type: 'text-delta', id: '1', delta: text });
const bundle = (): string => join(folder, 'run.sftrace');

async function roundTrip(model: OwnModel, agent: (model: Model) => Promise<unknown>) {
  const instrumented = instrument(model) as Model;
  const recorded = await record('own-agent', { output: bundle() }, () => agent(instrumented));
  const asked = model.asked.length;
  const report = await replay(bundle(), () => agent(instrumented));
  expect([report.verdict, report.divergence, report.notes]).toEqual(['matched', null, []]);
  expect(model.asked).toHaveLength(asked);
  return { recorded, report, trace: loadTrace(bundle()), text: JSON.stringify(loadTrace(bundle())) };
}

async function partsOf(model: Model): Promise<readonly Part[]> {
  const { stream } = await model.doStream({ prompt: [] });
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('a model by itself', () => {
  test('is given values of their types on replay: dates, bytes, links, errors', async () => {
    const failed = new APICallError({
      message: 'busy',
      url: 'http://127.0.0.1/',
      requestBodyValues: {},
      statusCode: 429,
      cause: new APICallError({ message: 'below', url: 'http://127.0.0.1/', requestBodyValues: {} }),
    });
    const model = new OwnModel(
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r2', timestamp: new Date(2000), modelId: 'own-1' },
      { type: 'file', mediaType: 'text/plain', data: new Uint8Array([104, 105]) },
      { type: 'raw', rawValue: new URL('https://example.org/a?b') },
      { type: 'error', error: failed },
      FINISH,
    );
    const seen: (readonly Part[])[] = [];
    await roundTrip(model, async (own) => {
      const parts = await partsOf(own);
      seen.push(parts);
      return parts.length;
    });
    const [recorded, replayed] = seen;
    expect(replayed?.filter(({ type }) => type !== 'error')).toEqual(recorded?.filter(({ type }) => type !== 'error'));
    const error = replayed?.find((part) => part.type === 'error')?.error as APICallError;
    expect(APICallError.isInstance(error)).toBe(true);
    expect(APICallError.isInstance(error.cause)).toBe(true);
    expect(error).toMatchObject({ message: 'busy', statusCode: 429, isRetryable: true });
  });

  test('answers generateText with its files and response, without cookies', async () => {
    const { text, report, trace } = await roundTrip(new OwnModel(), async (model) => {
      const { files, response } = await generateText({ model, prompt: 'draw' });
      return [files[0]?.uint8Array, response.timestamp, response.headers];
    });
    expect(report.output).toEqual([
      { $stepfork: 'bytes', kind: 'Uint8Array', base64: 'AQID' },
      { $stepfork: 'date', value: '1970-01-01T00:00:01.000Z' },
      { 'x-request-id': 'req_1' },
    ]);
    expect(text).not.toContain('opaque');
    expect(trace.events[1]).toMatchObject({ provider: 'acme', model: 'own-1' });
    expect(trace.events[2]).toMatchObject({ model: 'own-1-2026', prompt_tokens: 3, completion_tokens: 2 });
  });

  test('is known by what it is asked, not by the headers or the signal', async () => {
    const model = instrument(new OwnModel()) as Model;
    const ask = (key: string) => () =>
      generateText({ model, prompt: 'draw', headers: { key }, abortSignal: new AbortController().signal }).then(
        ({ files }) => files.length,
      );
    await record('own-agent', { output: bundle() }, ask('one'));
    expect((await replay(bundle(), ask('two'))).verdict).toBe('matched');
    const [request] = loadTrace(bundle()).events.filter((event) => event.type === 'llm_request');
    expect(Object.keys(request?.input as object)).toEqual(['method', 'prompt']);
    expect(request?.input).toMatchObject({ method: 'doGenerate', prompt: [{ role: 'user' }] });
  });

  test('keeps out of the bundle a secret that its deltas split', async () => {
    const secret = 'sk-proj-0123456789abcdefghij0123456789abcdefghij';
    const model = new OwnModel(
      { type: 'text-start', id: '1' },
      ...['use ', secret.slice(0, 7), secret.slice(7, 30), secret.slice(30), ' now'].map(delta),
      { type: 'text-end', id: '1' },
      FINISH,
    );
    const agent = async (): Promise<number> => (await partsOf(instrument(model) as Model)).length;
    await record('own-agent', { output: bundle() }, agent);
    const trace = loadTrace(bundle());
    const said = JSON.stringify(trace);
    for (const part of [secret.slice(7, 30), secret.slice(30)]) expect(said).not.toContain(part);
    expect(said).toContain('use ');
  });

  test('is told that its stream was given up', async () => {
    const model = new OwnModel({ type: 'text-start', id: '1' }, ...Array.from({ length: 9 }, () => delta('x')));
    const { report } = await roundTrip(model, async (own) => {
      const { stream } = await own.doStream({ prompt: [] });
      const reader = stream.getReader();
      await reader.read();
      await reader.cancel('enough');
      return 'enough';
    });
    expect([model.isCancelled, report.output]).toEqual([true, 'enough']);
  });

  test("runs in the agent's own async context, and gives it back", async () => {
    const context = new AsyncLocalStorage<string>();
    const model = new OwnModel(delta('a'), FINISH);
    const { doStream } = model;
    const within: unknown[] = [];
    Object.assign(model, {
      doStream: (options: unknown) => {
        within.push(context.getStore());
        return Reflect.apply(doStream, model, [options]);
      },
    });
    await roundTrip(model, (own) =>
      context.run('mine', async () => {
        const stream = streamText({ model: own, prompt: 'hi' });
        for await (const _text of stream.textStream) within.push(context.getStore());
        return context.getStore();
      }),
    );
    expect(within).toEqual(['mine', 'mine', 'mine']);
  });

  test('is asked as ever outside a run', async () => {
    const bare = new OwnModel(delta('a'), FINISH);
    const model = instrument(bare) as Model;
    const options = { prompt: [] };
    const { response } = await model.doGenerate(options);
    expect(bare.asked[0]).toBe(options);
    expect(response?.headers).toHaveProperty('set-cookie');
    expect(await partsOf(model)).toEqual([delta('a'), FINISH]);
  });
});
