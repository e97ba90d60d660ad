import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  roundTrip,
  sse,
  startWireServer,
  type WireAnswer,
  type WireRequest,
  type WireServer,
} from '@stepfork/adapter-conformance';
import { record } from '@stepfork/recorder';
import { createRecordedFetch, installFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const open: WireServer[] = [];

async function serve(answer: (request: WireRequest, number: number) => WireAnswer): Promise<WireServer> {
  const server = await startWireServer(answer);
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const bundle = (): string => join(directory(), 'run.sftrace');
const CHAT = { model: 'demo-1', messages: [{ role: 'user', content: 'hi' }] };
const post = (body: unknown, more: RequestInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer secret-of-mine-4711' },
  body: JSON.stringify(body),
  ...more,
});

describe('a recorded fetch', () => {
  test('records a request to a model by its body, and answers it from the recording', async () => {
    const answer = {
      id: 'c1',
      model: 'demo-1-0514',
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    };
    const server = await serve(() => ({
      json: answer,
      headers: {
        ...{ 'x-request-id': 'r1', 'set-cookie': 'session=cookie-value-0815', 'x-session-token': 'token-value-0815' },
        ...{ 'x-total-pages': '3', server: 'demo', 'strict-transport-security': 'max-age=1' },
      },
    }));
    const url = `${server.origin}/v1/chat/completions?api-version=3&key=query-key-0815`;
    const fetch = createRecordedFetch(globalThis.fetch);
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => {
      const response = await fetch(url, post(CHAT));
      const { status, statusText, ok, redirected } = response;
      const id = response.headers.get('x-request-id');
      return { status, statusText, ok, isAt: response.url === url, redirected, id, body: await response.json() };
    });
    expect(recorded).toEqual({
      ...{ status: 200, statusText: 'OK', ok: true, isAt: true, redirected: false, id: 'r1' },
      body: answer,
    });
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    const [request] = eventsOf(trace, 'llm_request');
    expect(request).toMatchObject({ provider: 'openai-compatible', model: 'demo-1' });
    expect(request?.input).toEqual({
      ...{ method: 'POST', path: '/v1/chat/completions', query: { 'api-version': '3' }, body: CHAT },
    });
    expect(eventsOf(trace, 'llm_response')[0]).toMatchObject({
      ...{ model: 'demo-1-0514', prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      output: { status: 200, body: answer },
    });
    const output = eventsOf(trace, 'llm_response')[0]?.output ?? null;
    expect(Object.keys((output as { readonly headers: object }).headers)).toEqual([
      'content-type',
      'x-request-id',
      'x-session-token',
      'x-total-pages',
    ]);
    expect(JSON.stringify(trace)).not.toMatch(/secret-of-mine|cookie-value|token-value|query-key/);
  });

  test('gives the bytes of a stream again, piece by piece as they came', async () => {
    const bytes = Buffer.from(sse({ choices: [{ index: 0, delta: { content: 'grüße 👋' } }] }, '[DONE]').join(''));
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 56), bytes.subarray(56, 61), bytes.subarray(61)];
    const server = await serve(() => ({ pieces, gapMs: 15 }));
    const fetch = createRecordedFetch(globalThis.fetch);
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => {
      const response = await fetch(`${server.origin}/v1/chat/completions`, post({ ...CHAT, stream: true }));
      const read: string[] = [];
      for await (const chunk of response.body ?? []) read.push(Buffer.from(chunk as Uint8Array).toString('hex'));
      return read;
    });
    expect(recorded).toEqual(pieces.map((piece) => piece.toString('hex')));
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    expect(eventsOf(trace, 'llm_response')[0]?.output).toMatchObject({
      returned: { choices: [{ message: { content: 'grüße 👋' } }] },
    });
    loadSound(bundle());
  });

  test('delays no chunk: each is there before the server writes the next', async () => {
    const server = await serve(() => ({ pieces: sse({ n: 1 }, { n: 2 }, '[DONE]'), gapMs: 60 }));
    const fetch = createRecordedFetch(globalThis.fetch);
    const texts = await record('reader', { output: bundle() }, async () => {
      const response = await fetch(`${server.origin}/v1/chat/completions`, post(CHAT));
      const read: string[] = [];
      for await (const chunk of response.body ?? []) read.push(Buffer.from(chunk as Uint8Array).toString());
      return read;
    });
    expect(texts).toEqual(sse({ n: 1 }, { n: 2 }, '[DONE]'));
  });

  test('gives up the request when the stream is given up, also while a chunk is awaited', async () => {
    const server = await serve(() => ({ pieces: sse({ n: 1 }, { n: 2 }, '[DONE]'), gapMs: 3_000 }));
    const fetch = createRecordedFetch(globalThis.fetch);
    const { recorded, report } = await roundTrip(bundle(), server, async () => {
      const response = await fetch(`${server.origin}/v1/chat/completions`, post(CHAT));
      const reader = response.body?.getReader();
      const first = await reader?.read();
      const pending = reader?.read();
      await reader?.cancel('enough');
      return { first: Buffer.from(first?.value ?? []).toString(), done: (await pending)?.done };
    });
    expect(recorded).toEqual({ first: sse({ n: 1 })[0], done: true });
    expect(server.abandoned()).toBe(1);
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
  });

  test('records an error status as an error, and gives it as the response that it is', async () => {
    const server = await serve((_request, number) =>
      number === 1
        ? { status: 429, json: { error: { message: 'slow down' } }, headers: { 'retry-after': '30' } }
        : { json: { ok: true } },
    );
    const fetch = createRecordedFetch(globalThis.fetch);
    const ask = async (): Promise<unknown> => {
      const response = await fetch(`${server.origin}/v1/chat/completions`, post(CHAT));
      const { status, headers } = response;
      return [status, await response.json(), headers.get('retry-after'), headers.get('retry-after-ms')];
    };
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => [await ask(), await ask()]);
    const refused = { error: { message: 'slow down' } };
    expect(recorded).toEqual([
      [429, refused, '30', null],
      [200, { ok: true }, null, null],
    ]);
    expect(report.output).toEqual([
      [429, refused, null, '1'],
      [200, { ok: true }, null, null],
    ]);
    expect(report.divergence).toBeNull();
    expect(eventsOf(trace, 'error')[0]).toMatchObject({
      ...{ error_type: 'HttpError', message: 'HTTP 429 Too Many Requests: slow down' },
    });
  });

  test('answers a request that the recording does not hold so that nobody tries again', async () => {
    const server = await serve(() => ({ json: { ok: true } }));
    const fetch = createRecordedFetch(globalThis.fetch);
    const ask = (content: string) => async (): Promise<unknown> => {
      const response = await fetch(`${server.origin}/v1/chat/completions`, post({ ...CHAT, messages: [{ content }] }));
      return [response.status, response.headers.get('x-should-retry'), await response.json()];
    };
    const { report } = await roundTrip(bundle(), server, ask('one'), { replayed: ask('two') });
    expect(report.verdict).toBe('diverged');
    expect(report.divergence?.differences[0]).toMatchObject({
      ...{ path: 'body.messages[0].content', recorded: 'one', actual: 'two' },
    });
    expect(report.output).toMatchObject([403, 'false', { error: { code: 'replay_divergence' } }]);
  });

  test('fails as the network did', async () => {
    const server = await serve(() => ({ json: {} }));
    await server.close();
    const fetch = createRecordedFetch(globalThis.fetch);
    const { recorded, report } = await roundTrip(bundle(), server, async () => {
      const thrown = await fetch(`${server.origin}/v1/chat/completions`, post(CHAT)).catch((error: Error) => error);
      return thrown instanceof TypeError ? thrown.message : 'none';
    });
    expect(recorded).toBe('fetch failed');
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
  });

  test('honours a signal before the answer and while it streams', async () => {
    // A slow machine may give up the first one before it is sent.
    const server = await serve(({ body }) =>
      JSON.stringify(body).includes('stream')
        ? { pieces: sse({ n: 1 }, { n: 2 }), gapMs: 3_000 }
        : { json: {}, delayMs: 5_000 },
    );
    const fetch = createRecordedFetch(globalThis.fetch);
    const url = `${server.origin}/v1/chat/completions`;
    const { recorded, report } = await roundTrip(bundle(), server, async () => {
      const early = await fetch(url, post(CHAT, { signal: AbortSignal.timeout(30) })).catch(
        (error: Error) => error.name,
      );
      const controller = new AbortController();
      const response = await fetch(url, post({ ...CHAT, stream: true }, { signal: controller.signal }));
      const reader = response.body?.getReader();
      await reader?.read();
      controller.abort();
      const late = await reader?.read().catch((error: Error) => error.name);
      return [early, late];
    });
    expect(recorded).toEqual(['TimeoutError', 'AbortError']);
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
  });

  test('takes request objects, and forms by their texts and the digests of their files', async () => {
    const server = await serve(({ body }) => ({ json: { length: JSON.stringify(body).length > 0 } }));
    const fetch = createRecordedFetch(globalThis.fetch, { provider: 'demo' });
    const { recorded, report, trace } = await roundTrip(bundle(), server, async () => {
      const asObject = await fetch(new Request(`${server.origin}/any`, post(CHAT)));
      const form = new FormData();
      form.append('model', 'whisper-1');
      form.append('file', new Blob(['sound'], { type: 'audio/wav' }), 'speech.wav');
      const asForm = await fetch(`${server.origin}/v1/audio/transcriptions`, { method: 'POST', body: form });
      const formObject = await fetch(
        new Request(`${server.origin}/v1/audio/transcriptions`, { method: 'POST', body: form }),
      );
      return [await asObject.json(), await asForm.json(), await formObject.json()];
    });
    expect(recorded).toEqual([{ length: true }, { length: true }, { length: true }]);
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    const [first, second, third] = eventsOf(trace, 'llm_request');
    expect(first).toMatchObject({ provider: 'demo', model: 'demo-1', input: { body: CHAT } });
    expect(second).toMatchObject({
      model: 'whisper-1',
      input: { body: { fields: { file: { filename: 'speech.wav', type: 'audio/wav', bytes: 5 } } } },
    });
    expect(third?.input).toEqual(second?.input);
  });

  test('reads no stream that is a body', async () => {
    const server = await serve(({ body }) => ({ json: { got: body } }));
    const fetch = createRecordedFetch(globalThis.fetch, { provider: 'demo' });
    const { recorded, report } = await roundTrip(bundle(), server, async () => {
      const body = new Blob(['streamed']).stream();
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      return (await fetch(`${server.origin}/upload`, init)).json();
    });
    expect(recorded).toEqual({ got: 'streamed' });
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
  });

  test('records other requests as tools where that is asked for', async () => {
    const server = await serve(() => ({ text: 'sunny', headers: { 'content-type': 'text/plain' } }));
    const ask = (fetch: typeof globalThis.fetch) => async () =>
      (await fetch(`${server.origin}/weather?city=Rome`)).text();
    await record('weather', { output: join(directory(), 'bare.sftrace') }, ask(createRecordedFetch(globalThis.fetch)));
    expect(eventsOf(loadSound(join(directory(), 'bare.sftrace')), 'tool_call')).toEqual([]);
    const { recorded, report, trace } = await roundTrip(
      bundle(),
      server,
      ask(createRecordedFetch(globalThis.fetch, { http: true })),
    );
    expect([recorded, report.verdict, report.output]).toEqual(['sunny', 'matched', 'sunny']);
    expect(eventsOf(trace, 'tool_call')[0]).toMatchObject({
      name: 'http:127.0.0.1',
      input: { method: 'GET', path: '/weather', query: { city: 'Rome' } },
    });
  });

  test('answers on replay what was recorded as a tool, whether or not that is asked for again', async () => {
    const server = await serve(() => ({ text: 'sunny' }));
    const ask =
      (fetch: typeof globalThis.fetch, host = server.origin) =>
      async () =>
        (await fetch(`${host}/weather`)).text();
    await record('weather', { output: bundle() }, ask(createRecordedFetch(globalThis.fetch, { http: true })));
    const made = server.requests.length;
    expect(await replay(bundle(), ask(createRecordedFetch(globalThis.fetch)))).toMatchObject({
      verdict: 'matched',
      output: 'sunny',
    });
    // Another host is none of it: the guard keeps the request back.
    const other = await replay(bundle(), ask(createRecordedFetch(globalThis.fetch), 'http://localhost:47811'));
    expect(other.blocked).toHaveLength(1);
    expect(server.requests).toHaveLength(made);
  });

  test('is the bare fetch outside a run: its very arguments, its very response', async () => {
    const response = new Response('plain');
    const bare = vi.fn(async (..._args: unknown[]) => response);
    const fetch = createRecordedFetch(bare);
    const init = { method: 'POST' };
    expect(await fetch('https://api.openai.com/v1/models', init)).toBe(response);
    expect(bare.mock.calls[0]?.[1]).toBe(init);
    expect([fetch.name, fetch.length, fetch.mock === bare.mock]).toEqual([bare.name, bare.length, true]);
  });

  test('gives a stand-in for a response as it is, and refuses to answer with it', async () => {
    const standIn = { ok: true, json: async () => ({ ok: true }) };
    const fetch = createRecordedFetch(async (..._args: unknown[]) => standIn as unknown as Response, {
      provider: 'demo',
    });
    const agent = async (): Promise<number> => (await fetch('https://model.example/ask', post(CHAT))).status;
    await record('mocked', { output: bundle() }, async () => {
      expect(await fetch('https://model.example/ask', post(CHAT))).toBe(standIn);
    });
    const report = await replay(bundle(), agent);
    expect([report.output, report.divergence?.code]).toEqual([403, 'unservable']);
  });

  test('keeps a secret that is spread over the events of a stream out of the bundle, and the events whole', async () => {
    const key = 'sk-proj-4f8Jq2Xw9LmZ7tRb1NcV5yHd';
    const said = ['the key is ', ...(key.match(/.{1,5}/g) ?? []), ', keep it'];
    const events = said.map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
    const server = await serve(() => ({ pieces: sse(...events, '[DONE]') }));
    const fetch = createRecordedFetch(globalThis.fetch);
    const { recorded, report } = await roundTrip(bundle(), server, async () => {
      const text = await (await fetch(`${server.origin}/v1/chat/completions`, post(CHAT))).text();
      return text.split('\n\n').map((event) => (event.includes('{') ? typeof JSON.parse(event.slice(5)) : event));
    });
    expect(report.output).toEqual(recorded);
    for (const name of ['events.jsonl', 'runtime.jsonl']) {
      const text = readFileSync(join(bundle(), name), 'utf8');
      expect(text).not.toContain(key);
      expect(text).not.toContain('Jq2Xw');
      expect(text).not.toContain('9LmZ7');
    }
  });

  test('records a request once, through however many recorded fetches it goes', async () => {
    const server = await serve(() => ({ json: { ok: true } }));
    const inner = createRecordedFetch(globalThis.fetch);
    const own: typeof globalThis.fetch = (input, init) => inner(input, init);
    const fetch = createRecordedFetch(createRecordedFetch(own), { provider: 'demo' });
    const { report, trace } = await roundTrip(bundle(), server, async () =>
      (await fetch(`${server.origin}/v1/chat/completions`, post(CHAT))).json(),
    );
    expect(eventsOf(trace, 'llm_request').map(({ provider }) => provider)).toEqual(['demo']);
    expect(report.verdict).toBe('matched');
  });
});

describe('an installed fetch', () => {
  test('records what goes through the global one, until it is undone', async () => {
    const server = await serve(() => ({ json: { ok: true } }));
    const before = globalThis.fetch;
    const undo = installFetch();
    const undoAgain = installFetch();
    expect(globalThis.fetch).not.toBe(before);
    const agent = async (): Promise<unknown> =>
      (await globalThis.fetch(`${server.origin}/v1/chat/completions`, post(CHAT))).json();
    try {
      await record('global', { output: bundle() }, agent);
      await server.close();
      expect((await replay(bundle(), agent)).verdict).toBe('matched');
    } finally {
      undoAgain();
      undo();
    }
    expect(globalThis.fetch).toBe(before);
    expect(eventsOf(loadSound(bundle()), 'llm_request')).toHaveLength(1);
  });
});
