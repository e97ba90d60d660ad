import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { traceAgent, traceTool } from '@stepfork/recorder';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../bar/bar.js';

const folder = temporaryFolder();

const step = traceTool('step', async (n: number) => {
  await sleep(20);
  return `c${n}`;
});
const words = traceTool('words', async function* () {
  for (let i = 0; i < 9; i++) {
    await sleep(20);
    yield `w${i}`;
  }
});

const nodeStream = async (): Promise<Readable> =>
  Readable.from(
    (async function* () {
      for (let i = 0; i < 30; i++) yield await step(i);
    })(),
  );
const webStream = (highWaterMark: number) => async (): Promise<ReadableStream> => {
  let i = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        controller.enqueue(await step(i++));
      },
    },
    { highWaterMark },
  );
};
const piped = async (): Promise<ReadableStream> => ReadableStream.from(words()).pipeThrough(new TransformStream());

/** Destroys it with its third chunk. */
async function destroyed(stream: Readable, error?: Error): Promise<void> {
  let count = 0;
  await new Promise<void>((resolve) => {
    stream.on('error', () => {});
    stream.on('data', () => {
      if (++count === 3) stream.destroy(error);
    });
    stream.on('close', () => resolve());
  });
}

/** Cancels it after so many chunks, with a further one asked for where `wait` is given. */
async function cancelled(stream: ReadableStream, chunks: number, wait?: number): Promise<void> {
  const reader = stream.getReader();
  for (let i = 0; i < chunks; i++) await reader.read();
  const pending = wait === undefined ? null : reader.read();
  if (wait !== undefined) await sleep(wait);
  await reader.cancel();
  await pending;
}

/** As a server answers with it, to a client that goes away with the first bytes. */
async function disconnected(stream: Readable): Promise<void> {
  const server = createServer((_request, response) => pipeline(stream, response, () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => {});
  request.on('response', (response) => {
    response.on('error', () => {});
    response.once('data', () => request.destroy());
  });
  await new Promise<void>((resolve) => stream.once('close', () => resolve()));
  server.close();
}

type Case = readonly [string, () => Promise<unknown>, (stream: never) => Promise<void>];

const CASES: readonly Case[] = [
  ['a Node stream that a listener destroys', nodeStream, (stream: Readable) => destroyed(stream)],
  [
    'a Node stream that a listener destroys with an error',
    nodeStream,
    (stream: Readable) => destroyed(stream, new Error('gone')),
  ],
  ['a Node stream whose HTTP client disconnects', nodeStream, disconnected],
  ['a web stream that is cancelled after a read', webStream(1), (stream: ReadableStream) => cancelled(stream, 2)],
  ['a web stream with a read that is pending', webStream(1), (stream: ReadableStream) => cancelled(stream, 2, 10)],
  ['one that reads nothing ahead, likewise', webStream(0), (stream: ReadableStream) => cancelled(stream, 1, 10)],
  ['one that is piped from a tool, likewise', piped, (stream: ReadableStream) => cancelled(stream, 1, 10)],
];

describe('an agent whose consumer goes away replays as it was recorded', () => {
  test.each(CASES)('%s', async (title, make, consume) => {
    const output = join(folder(), `${CASES.findIndex(([name]) => name === title)}.sftrace`);
    const agent = traceAgent({ name: 'agent', output, overwrite: true }, make);
    await consume((await agent()) as never);
    await sleep(60);
    expect(loadTrace(output).status).toBe('completed');
    for (let round = 0; round < 3; round++) {
      const report = await replay(output, agent, { noProgressMs: 2_000 });
      expect(report.verdict, report.divergence?.message ?? report.notes.join()).toBe('matched');
    }
  });
});
