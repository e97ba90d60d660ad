import { AsyncResource } from 'node:async_hooks';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const fetch = createRecordedFetch(globalThis.fetch, { http: true });
const servers = localServers();
/** A server that answers with its name, the path that it was asked for, and a header. */
const serve = (name: string): Promise<string> =>
  servers.serve(({ url, headers }, response) => response.end(`${name} ${url} ${headers.range ?? ''}`));

const text = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();
const bundle = (): string => join(directory(), 'run.sftrace');

/** Records one program and replays another. */
async function verdictOf(recorded: () => Promise<unknown>, replayed: () => Promise<unknown>) {
  const output = bundle();
  await record('agent', { output, overwrite: true }, recorded);
  const before = servers.asked();
  const report = await replay(output, () => record('agent', replayed));
  expect(servers.asked()).toBe(before);
  return report;
}

describe('requests that differ', () => {
  test('in the service of one host that they ask', async () => {
    const [one, other] = [await serve('one'), await serve('other')];
    const report = await verdictOf(
      () => text(`${one}/balance`),
      () => text(`${other}/balance`),
    );
    expect([report.verdict, report.divergence?.differences.map(({ path }) => path)]).toEqual(['diverged', ['port']]);
    const again = await verdictOf(
      () => text(`${one}/balance`),
      () => text(`${one}/balance`),
    );
    expect(again.verdict).toBe('matched');
  });

  const variants: Readonly<Record<string, readonly [string, RequestInit, string, RequestInit]>> = {
    'in a 64-bit id of the body': [
      ...([
        '/',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1234567890123456789}' },
      ] as const),
      ...([
        '/',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"id":1234567890123456768}' },
      ] as const),
    ],
    'in a parameter that is called key': ['/kv?key=orders', {}, '/kv?key=users', {}],
    'in a signature that is a word': ['/?sig=short', {}, '/?sig=long', {}],
    'in the range that they ask for': [
      '/',
      { headers: { range: 'bytes=0-9' } },
      '/',
      { headers: { range: 'bytes=10-19' } },
    ],
    'in what they accept': ['/', { headers: { accept: 'application/json' } }, '/', { headers: { accept: 'text/csv' } }],
    'in what must not have changed': ['/', { headers: { 'if-match': '"a"' } }, '/', { headers: { 'if-match': '"b"' } }],
  };

  test.each(Object.keys(variants))('%s', async (name) => {
    const [path, init, otherPath, otherInit] = variants[name] as readonly [string, RequestInit, string, RequestInit];
    const origin = await serve('one');
    expect(
      (
        await verdictOf(
          () => text(origin + path, init),
          () => text(origin + path, init),
        )
      ).verdict,
    ).toBe('matched');
    const report = await verdictOf(
      () => text(origin + path, init),
      () => text(origin + otherPath, otherInit),
    );
    expect(report.verdict).toBe('diverged');
  });

  test('in nothing but what proves who asks are the same', async () => {
    const origin = await serve('one');
    const [one, other] = ['AIzaSyA-1234567890abcdefghijklmnopqrstu', 'AIzaSyB-0987654321abcdefghijklmnopqrstu'];
    const report = await verdictOf(
      () => text(`${origin}/?key=${one}`),
      () => text(`${origin}/?key=${other}`),
    );
    expect(report.verdict).toBe('matched');
    expect(JSON.stringify(loadTrace(bundle()))).not.toContain('AIza');
  });

  test('in a stream that is sent are told to be the same, and the report says that it cannot know', async () => {
    const origin = await serve('one');
    const send = (said: string): Promise<string> =>
      text(`${origin}/`, { method: 'POST', body: new Blob([said]).stream(), duplex: 'half' } as RequestInit);
    const report = await verdictOf(
      () => send('sunny'),
      () => send('rainy'),
    );
    expect(report.verdict).toBe('matched');
    expect(report.notes.join('\n')).toContain("could not be recorded of its input, at 'body.unread'");
  });
});

describe('an answer that goes on', () => {
  /** Writes a piece every so many milliseconds, for ever, and says when its client has gone. */
  async function serveForEver(
    type: string,
    everyMs: number,
  ): Promise<{ readonly origin: string; readonly gone: Promise<void> }> {
    let leave = (): void => {};
    const gone = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const origin = await servers.serve((_request, response) => {
      response.writeHead(200, { 'content-type': type });
      let count = 0;
      const timer = setInterval(() => response.write(`{"n":${count++}}\n`), everyMs);
      response.write('{"first":true}\n');
      response.on('close', () => {
        clearInterval(timer);
        leave();
      });
    });
    return { origin, gone };
  }

  test.each([
    ['text/plain', 20],
    ['text/csv', 20],
    ['application/json', 20],
    ['application/json;stream=watch', 400],
  ])('for ever is given piece by piece, and replays: %s, every %i ms', async (type, everyMs) => {
    const { origin, gone } = await serveForEver(type, everyMs);
    const agent = async (): Promise<string[]> => {
      const response = await fetch(`${origin}/watch`);
      const read: string[] = [];
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        read.push(
          ...decoder
            .decode(piece as Uint8Array)
            .trimEnd()
            .split('\n'),
        );
        if (read.length > 2) break;
      }
      return read.slice(0, 3);
    };
    const output = bundle();
    const live = await record('agent', { output }, agent);
    expect(live).toEqual(['{"first":true}', '{"n":0}', '{"n":1}']);
    await gone;
    const report = await replay(output, () => record('agent', agent));
    expect([report.verdict, report.output]).toEqual(['matched', live]);
  });

  test('a document that comes in pieces is one all the same', async () => {
    const origin = await servers.serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":');
      setTimeout(() => response.end('1}'), 60);
    });
    const output = bundle();
    await record('agent', { output }, async () => (await fetch(origin)).json());
    const result = loadTrace(output).events.find(({ type }) => type === 'tool_result');
    expect(result).toMatchObject({ output: { chunks: ['{"a":', '1}'], returned: { a: 1 } } });
  });
});

describe('a request outside the run', () => {
  test('that goes on in the same process is in no recording', async () => {
    const origin = await serve('one');
    const elsewhere = new AsyncResource('another user');
    const output = bundle();
    const other = await record('agent', { output }, async () => {
      await text(`${origin}/mine`);
      return elsewhere.runInAsyncScope(() => text(`${origin}/theirs`));
    });
    expect(other).toContain('/theirs');
    const trace = loadTrace(output);
    expect(trace.events.filter(({ type }) => type === 'tool_call')).toHaveLength(1);
    expect(JSON.stringify(trace.events.filter(({ type }) => type !== 'run_end'))).not.toContain('theirs');
  });

  test('is not let out while a replay goes on', async () => {
    const origin = await serve('one');
    const output = bundle();
    await record('agent', { output }, () => text(`${origin}/mine`));
    const elsewhere = new AsyncResource('another user');
    const before = servers.asked();
    const report = await replay(output, () =>
      record('agent', async () => {
        await text(`${origin}/mine`);
        return elsewhere.runInAsyncScope(() => text(`${origin}/theirs`)).catch(() => 'refused');
      }),
    );
    expect([report.verdict, servers.asked()]).toEqual(['diverged', before]);
  });
});
