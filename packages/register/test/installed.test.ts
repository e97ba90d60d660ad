import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { record } from '@stepfork/recorder';
import { slot } from '@stepfork/recorder/boundary';
import { replay } from '@stepfork/replay';
import { loadTrace } from '@stepfork/trace-format';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installHttp } from '../src/http-client.js';

/** As a program has them that took them before anything was installed. */
const { request: early, get: earlyGet } = http;

let folder: string;
let server: http.Server;
let origin = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-installed-'));
  server = http.createServer((request, response) => {
    request.resume().on('end', () => response.end('{"ok":true}'));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function textOf(make: (answered: (response: http.IncomingMessage) => void) => http.ClientRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = make(async (response) => {
      let text = '';
      for await (const piece of response) text += String(piece);
      resolve(text);
    });
    request.on('error', reject).end();
  });
}

const agent = async (): Promise<string[]> => [
  await textOf((answered) => http.request(origin, answered)),
  await textOf((answered) => http.get(origin, answered)),
];

describe('installHttp, called again', () => {
  test('records each request once, and tells all of its host', async () => {
    const told: string[] = [];
    const undo = installHttp({ http: true, onRequest: (host) => told.push(`first ${host}`) });
    const undoAgain = installHttp({ http: true, onRequest: (host) => told.push(`last ${host}`) });
    const output = join(folder, 'run.sftrace');
    try {
      expect(await record('asking', { output }, agent)).toEqual(['{"ok":true}', '{"ok":true}']);
      expect(loadTrace(output).events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
      const { host } = new URL(origin);
      expect(told).toEqual([`last ${host}`, `first ${host}`, `last ${host}`, `first ${host}`]);
      server.closeAllConnections();
      server.close();
      expect((await replay(output, agent)).verdict).toBe('matched');
    } finally {
      undoAgain();
      undo();
    }
  });

  test('lets the options count that were given last', async () => {
    const undo = installHttp({ http: true });
    const undoAgain = installHttp();
    const output = join(folder, 'run.sftrace');
    try {
      await record('asking', { output }, agent);
      expect(loadTrace(output).events.filter(({ type }) => type === 'tool_call')).toEqual([]);
    } finally {
      undoAgain();
      undo();
    }
  });

  test.each([['in order'], ['out of order']])('puts back what was there: undone %s', async (order) => {
    const undo = installHttp({ http: true });
    const undoAgain = installHttp({ http: true });
    for (const end of order === 'in order' ? [undoAgain, undo] : [undo, undoAgain]) end();
    const output = join(folder, 'run.sftrace');
    await record('asking', { output }, agent);
    expect(loadTrace(output).events.filter(({ type }) => type === 'tool_call')).toEqual([]);
    if (order === 'in order') expect([http.request, http.get]).toEqual([early, earlyGet]);
    else Object.assign(http, { request: early, get: earlyGet });
  });
});

describe('a request by a function of node:http that was taken before', () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error): void => void warnings.push(message);
  beforeEach(() => {
    slot().warned?.clear();
    warnings.length = 0;
    process.on('warning', listen);
  });
  afterEach(() => {
    process.off('warning', listen);
  });

  test.each([
    ['request', early],
    ['get', earlyGet],
  ])('is warned of, once for each host: %s', async (_name, make) => {
    const undo = installHttp({ http: true });
    try {
      await record('asking', { output: join(folder, 'run.sftrace') }, async () => {
        for (let time = 0; time < 2; time++) await textOf((answered) => make(origin, answered));
        await agent();
      });
    } finally {
      undo();
    }
    await setImmediate();
    expect(warnings).toEqual([
      expect.stringContaining(`a request to ${new URL(origin).host} was made by a function of`),
    ]);
  });

  test('is not where nothing records, and where only requests to models are recorded', async () => {
    const undo = installHttp();
    try {
      await textOf((answered) => early(origin, answered));
      await record('asking', { output: join(folder, 'run.sftrace') }, () =>
        textOf((answered) => early(origin, answered)),
      );
    } finally {
      undo();
    }
    await setImmediate();
    expect(warnings).toEqual([]);
  });
});
