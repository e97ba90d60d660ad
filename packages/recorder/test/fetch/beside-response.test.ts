import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { describe, expect, test } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');

/** By which those who stand in for `node:http` tell what a `Response` has no place for. */
const BESIDE = Symbol.for('stepfork.beside-response/1');

function answering(pieces: readonly string[], type: string, beside: object): typeof globalThis.fetch {
  const fetch = async (): Promise<Response> => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    return Object.defineProperty(new Response(body, { headers: { 'content-type': type } }), BESIDE, { value: beside });
  };
  return createRecordedFetch(fetch, { http: true });
}

async function read(fetch: typeof globalThis.fetch): Promise<readonly unknown[]> {
  const response = await fetch('http://127.0.0.1:1/here');
  const pieces: string[] = [];
  for await (const piece of response.body ?? []) pieces.push(Buffer.from(piece as Uint8Array).toString());
  return [...pieces, Reflect.get(response, BESIDE)];
}

describe('what node:http tells beside a response', () => {
  test('is whether it comes as a stream, which a document then is as well', async () => {
    const fetch = answering(['{"said"', ':"so"}'], 'application/json', { isStreamed: true });
    const live = await record('asking', { output: bundle() }, () => read(fetch));
    expect(live).toEqual(['{"said"', ':"so"}', {}]);
    expect((await replay(bundle(), () => read(fetch))).output).toMatchObject(['{"said"', ':"so"}', {}]);
    const [result] = eventsOf(loadSound(bundle()), 'tool_result');
    expect(result?.output).toMatchObject({ chunks: ['{"said"', ':"so"}'], returned: { said: 'so' } });
  });

  test('is what comes before it and after it', async () => {
    const hints = [{ status: 103, headers: { link: '</a.css>' } }];
    const trailers = { 'x-sum': '4711' };
    const answers = [true, false].map((isStreamed) =>
      answering(['one'], 'text/plain', { isStreamed, hints, trailers, timedOut: true }),
    );
    const agent = (): Promise<unknown> => Promise.all(answers.map(read));
    await record('asking', { output: bundle() }, agent);
    const told = ['one', { hints, trailers, timedOut: true }];
    expect((await replay(bundle(), agent)).output).toEqual([told, told]);
  });

  test('has no secret in the bundle, wherever the pieces of a document are cut', async () => {
    const document = '{"user":"me","password":"hunter2-and-more","nested":{"api_key":"k-0815-4711-secret"}}';
    const cuts = Array.from({ length: document.length - 1 }, (_, at) => at + 1);
    await record('asking', { output: bundle() }, async () => {
      for (const at of cuts) {
        await read(answering([document.slice(0, at), document.slice(at)], 'application/json', { isStreamed: true }));
      }
    });
    for (const name of ['events.jsonl', 'runtime.jsonl']) {
      const text = readFileSync(join(bundle(), name), 'utf8');
      expect(text).not.toMatch(/hunter2|and-more|0815-4711|4711-secret/);
    }
  });
});
