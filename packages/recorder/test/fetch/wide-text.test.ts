import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { expect, test } from 'vitest';
import { loadSound, ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');
const fetch = createRecordedFetch(globalThis.fetch, { http: true });

const servers = localServers();
const serve = (answer: (response: ServerResponse) => void): Promise<string> =>
  servers.serve((_, response) => answer(response));

const KEY = 'sk-proj-4f8Jq2Xw9LmZ7tRb1NcV5yHd';
const TEXT = `grüße, the key is ${KEY}\n`;
const little = (text: string): Buffer => Buffer.from(text, 'utf16le');
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

/** A bundle has it neither as it is, nor with zeros between its letters, nor as bytes in Base64. */
function expectNoKey(): void {
  for (const file of ['events.jsonl', 'runtime.jsonl']) {
    const text = readFileSync(join(bundle(), file), 'utf8');
    const base64 = text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? [];
    for (const seen of [text, ...base64.map((part) => Buffer.from(part, 'base64').toString('latin1'))]) {
      expect(seen.replaceAll('\\u0000', '').replaceAll('\0', '')).not.toContain('4f8Jq2Xw9Lm');
    }
  }
}

test.each([
  ['a text, little-endian', 'text/plain; charset=utf-16le', little(TEXT)],
  ['a text, big-endian', 'text/plain; charset="UTF-16BE"', big(TEXT)],
  ['a text with a byte order mark', 'text/plain; charset=utf-16', big(`\ufeff${TEXT}`)],
  ['a text that no header names so', 'text/plain', little(TEXT)],
  ['a JSON document', 'application/json; charset=utf-16', little(JSON.stringify({ said: TEXT }))],
  ['what is streamed', 'application/xml', little(`\ufeff<said>${TEXT}</said>`)],
])('a secret in UTF-16 is in no bundle, and the bytes are given back: %s', async (_what, type, bytes) => {
  const origin = await serve((response) => response.writeHead(200, { 'content-type': type }).end(bytes));
  const agent = async (): Promise<string> =>
    Buffer.from(await (await fetch(origin)).arrayBuffer())
      .toString('hex')
      .slice(0, 16);
  const live = await record('reader', { output: bundle() }, agent);
  expect(live).toBe(bytes.toString('hex').slice(0, 16));
  const report = await replay(bundle(), agent);
  expect([report.verdict, report.output]).toEqual(['matched', live]);
  loadSound(bundle());
  expectNoKey();
});

test.each([
  ['text', little('grüße 👋 {"b": 1}')],
  ['text, big-endian', big('plain')],
  ['zeros', Buffer.alloc(9)],
  ['samples of sound', Buffer.from(Int16Array.from({ length: 64 }, (_, at) => (at % 7) - 3).buffer)],
  ['half a unit', little('half').subarray(0, 7)],
  ['half a pair', little('half 👋').subarray(0, 12)],
])('bytes that have zeros are given back as they came: %s', async (_what, bytes) => {
  for (const type of ['text/plain', 'application/octet-stream', 'application/json; charset=utf-16']) {
    const origin = await serve((response) => {
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes);
    });
    const agent = async (): Promise<string> => Buffer.from(await (await fetch(origin)).arrayBuffer()).toString('hex');
    const output = join(directory(), `${type.replace(/\W/g, '-')}.sftrace`);
    expect(await record('reader', { output }, agent)).toBe(bytes.toString('hex'));
    expect((await replay(output, agent)).output).toBe(bytes.toString('hex'));
  }
});
