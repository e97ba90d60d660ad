import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { type ReplayReport, replay } from '@stepfork/replay';
import { describe, expect, test } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');
const fetch = createRecordedFetch(globalThis.fetch, { http: true });

const { serve, asked } = localServers();

interface Round<T> {
  readonly bare: T;
  readonly recorded: T;
  readonly report: ReplayReport;
  /** Requests of each of the two that were really made. */
  readonly requests: readonly [bare: number, recorded: number];
}

/** What an agent comes to without a recording, with one, and against it. */
async function round<T>(agent: () => Promise<T>): Promise<Round<T>> {
  const bare = await agent();
  const first = asked();
  const recorded = await record('agent', { output: bundle() }, agent);
  const second = asked() - first;
  const report = await replay(bundle(), () => record('agent', agent));
  expect(asked()).toBe(first + second);
  return { bare, recorded, report, requests: [first, second] };
}

const DOCUMENT = JSON.stringify({
  model: 'demo-1-0514',
  password: 'hunter2-of-mine',
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

const KINDS = [
  ['JSON of known length', 200, { 'content-type': 'application/json', 'content-length': DOCUMENT.length }],
  ['JSON of no known length', 200, { 'content-type': 'application/json' }],
  ['a text of known length', 200, { 'content-type': 'text/plain', 'content-length': DOCUMENT.length }],
  ['an error', 500, { 'content-type': 'application/json', 'content-length': DOCUMENT.length }],
  ['what has no type', 200, { 'content-length': DOCUMENT.length }],
] as const;

describe('a recorded fetch resolves when the head is there', () => {
  test.each(KINDS)('and the body comes as it comes: %s', async (_kind, status, headers) => {
    let rest = (): void => {};
    const origin = await serve(({ url }, response) => {
      if (url === '/go') {
        response.end('gone');
        rest();
        return;
      }
      response.writeHead(status, headers).write(DOCUMENT.slice(0, 40));
      rest = () => response.end(DOCUMENT.slice(40));
    });
    const agent = async (): Promise<unknown> => {
      const response = await fetch(`${origin}/slow`);
      // The server writes on only now.
      await (await fetch(`${origin}/go`)).text();
      return [response.status, JSON.parse(await response.text()).model];
    };
    const { bare, recorded, report, requests } = await round(agent);
    expect(bare).toEqual([status, 'demo-1-0514']);
    expect([recorded, report.verdict, report.output]).toEqual([bare, 'matched', bare]);
    expect(requests).toEqual([2, 2]);
    loadSound(bundle());
    for (const file of ['events.jsonl', 'runtime.jsonl']) {
      expect(readFileSync(join(bundle(), file), 'utf8')).not.toContain('hunter2');
    }
  });

  test.each(KINDS)('and a body that breaks off fails the one who reads it: %s', async (_kind, status, headers) => {
    const origin = await serve((request, response) => {
      response.writeHead(status, headers).write(DOCUMENT.slice(0, 40), () => request.socket.destroy());
    });
    // As SDKs have it: a request that fails is made again, an answer that breaks off is none of theirs.
    const ask = async (tries: number): Promise<Response> => {
      try {
        return await fetch(origin);
      } catch (error) {
        if (tries === 0) throw error;
        return ask(tries - 1);
      }
    };
    const agent = async (): Promise<unknown> => {
      const response = await ask(2);
      const read = await response.text().catch((error: Error) => `${error.name}: ${error.message}`);
      return [response.status, read];
    };
    const { bare, recorded, report, requests } = await round(agent);
    expect(bare).toEqual([status, 'TypeError: terminated']);
    expect([recorded, report.verdict, report.output]).toEqual([bare, 'matched', bare]);
    expect(requests).toEqual([1, 1]);
  });

  test('and one that is all there is one document of the recording', async () => {
    const origin = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(DOCUMENT);
    });
    await record('agent', { output: bundle() }, async () => (await fetch(origin)).status);
    expect(eventsOf(loadSound(bundle()), 'tool_result')[0]?.output).toMatchObject({ body: { model: 'demo-1-0514' } });
  });

  test('and what a model says of its tokens is read out of a document that came in pieces', async () => {
    const origin = await serve((_request, response) => {
      const text = JSON.stringify(JSON.parse(DOCUMENT), null, 2);
      response.writeHead(200, { 'content-type': 'application/json' }).write(text.slice(0, 40));
      setTimeout(() => response.end(text.slice(40)), 120);
    });
    const model = createRecordedFetch(globalThis.fetch, { provider: 'demo' });
    await record('agent', { output: bundle() }, async () => (await model(origin, { method: 'POST' })).json());
    expect(eventsOf(loadSound(bundle()), 'llm_response')[0]).toMatchObject({
      ...{ model: 'demo-1-0514', prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      output: { returned: { model: 'demo-1-0514' } },
    });
  });
});
