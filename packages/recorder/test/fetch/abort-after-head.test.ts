import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { describe, expect, test } from 'vitest';
import { ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');
const fetch = createRecordedFetch(globalThis.fetch, { http: true });
const { serve } = localServers();

const LENGTH = { 'content-length': '100' };
const BODIES = [
  ['a document that stops', { 'content-type': 'application/json', ...LENGTH }, '{"a":', false],
  ['events that stop', { 'content-type': 'text/event-stream' }, 'data: 1\n\n', false],
  ['a text that stops', { 'content-type': 'text/plain', ...LENGTH }, 'half', false],
  ['bytes that stop', { 'content-type': 'application/octet-stream' }, 'half', false],
  ['a document that is whole', { 'content-type': 'application/json' }, '{"a":1}', true],
  ['events that are whole', { 'content-type': 'text/event-stream' }, 'data: 1\n\n', true],
] as const;

const nap = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const failed = (error: Error): string => `${error.name}: ${error.message}`;

/** When the agent aborts, as seen from its reading. */
const MOMENTS: Readonly<Record<string, (response: Response, abort: () => void) => Promise<unknown>>> = {
  'before it reads': async (response, abort) => {
    await nap(20);
    abort();
    // What `text()` says of it is another text than a reader's.
    return response.text().catch(({ name }: Error) => name);
  },
  'while it reads': async (response, abort) => {
    setTimeout(abort, 40);
    return response.text().catch(failed);
  },
  'after it has read a piece': async (response, abort) => {
    const reader = response.body?.getReader();
    const first = await reader?.read();
    abort();
    const next = await reader?.read().then(({ done }) => done, failed);
    return [Buffer.from(first?.value ?? []).toString(), next];
  },
  'with a reason of its own': async (response, abort) => {
    abort();
    return response.body?.getReader().read().catch(failed);
  },
};

describe.each(Object.entries(MOMENTS))('a request that is aborted when its head has come, %s', (moment, act) => {
  // One that is whole may be read by then.
  const bodies = BODIES.filter(([, , , isWhole]) => moment !== 'while it reads' || !isWhole);
  test.each(bodies)('comes to the same bare, recorded and replayed: %s', async (_name, headers, text, isWhole) => {
    const origin = await serve((_, response) => {
      response.writeHead(200, headers).flushHeaders();
      if (isWhole) response.end(text);
      else response.write(text);
    });
    const agent = async (): Promise<unknown> => {
      const controller = new AbortController();
      const response = await fetch(origin, { signal: controller.signal });
      const reason = moment.startsWith('with') ? new RangeError('of the agent') : undefined;
      return act(response, () => controller.abort(reason));
    };
    const bare = await agent();
    expect(await record('agent', { output: bundle() }, agent)).toEqual(bare);
    const report = await replay(bundle(), () => record('agent', agent));
    expect([report.verdict, report.output]).toEqual(['matched', bare]);
  });
});

describe('an answer that was aborted while it came', () => {
  const readFor = (ms: number | null) => async (origin: string) => {
    const controller = new AbortController();
    const response = await fetch(origin, { signal: controller.signal });
    const timer = ms === null ? undefined : setTimeout(() => controller.abort(), ms);
    const read = await response.text().catch(({ name }: Error) => name);
    clearTimeout(timer);
    return read;
  };

  test.each(BODIES.filter(([, , , isWhole]) => !isWhole))(
    'is no answer for an agent that does not abort: %s',
    async (_name, headers, text) => {
      const origin = await serve((_, response) => response.writeHead(200, headers).write(text));
      expect(await record('agent', { output: bundle() }, () => readFor(60)(origin))).toBe('AbortError');
      const report = await replay(bundle(), () => record('agent', () => readFor(null)(origin)));
      expect([report.verdict, report.divergence?.code]).toEqual(['diverged', 'unservable']);
      expect(report.divergence?.message).toContain('was aborted');
    },
  );

  test('fails its reader where only the replay aborts it', async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      setTimeout(() => response.end('data: 2\n\n'), 30);
    });
    const agent = (ms: number | null) => async (): Promise<unknown> => {
      const controller = new AbortController();
      const response = await fetch(origin, { signal: controller.signal });
      const reader = response.body?.getReader();
      await reader?.read();
      if (ms !== null) controller.abort();
      return reader?.read().then(({ done }) => done, failed);
    };
    expect(await record('agent', { output: bundle() }, agent(null))).toBe(false);
    const report = await replay(bundle(), () => record('agent', agent(0)));
    expect(report.output).toBe('AbortError: This operation was aborted');
  });

  test('may share its signal with very many, and nobody is warned', async () => {
    const warned: string[] = [];
    const listen = ({ name }: Error): void => void warned.push(name);
    process.on('warning', listen);
    const origin = await serve((_, response) => response.end('ok'));
    const agent = async (): Promise<number> => {
      const { signal } = new AbortController();
      const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => fetch(`${origin}/${n}`, { signal })));
      return responses.length;
    };
    await record('agent', { output: bundle() }, agent);
    expect((await replay(bundle(), () => record('agent', agent))).verdict).toBe('matched');
    await nap(0);
    process.off('warning', listen);
    expect(warned).not.toContain('MaxListenersExceededWarning');
  });
});
