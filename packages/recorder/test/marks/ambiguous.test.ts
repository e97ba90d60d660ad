import { join } from 'node:path';
import { llmRequest, record, traceTool } from '@stepfork/recorder';
import type { Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const login = traceTool('login', async ({ password }: { user: string; password: string }) => {
  await sleep(1);
  return password.length;
});

async function recorded(body: () => unknown): Promise<{ trace: Trace; calls: string[]; marked: string[][] }> {
  await record('agent', { output: path(), overwrite: true }, body);
  const trace = loadSound(path());
  return {
    trace,
    calls: [...eventsOf(trace, 'tool_call'), ...eventsOf(trace, 'llm_request')].map(({ id }) => id),
    marked: trace.runtime.flatMap((entry) => (entry.type === 'ambiguous' ? [[...entry.call_ids]] : [])),
  };
}

describe('calls that differ only in what was redacted', () => {
  it('are marked as ambiguous where they overlap', async () => {
    const { calls, marked } = await recorded(() =>
      Promise.all([
        login({ user: 'a', password: 'first-secret-1' }),
        login({ user: 'a', password: 'second-secret-22' }),
        login({ user: 'b', password: 'third-secret-333' }),
      ]),
    );
    expect(marked).toEqual([calls.slice(0, 2)]);
  });

  it('are not where one came after the other, or all were the same, or no secret is in them', async () => {
    const { marked } = await recorded(async () => {
      await login({ user: 'a', password: 'first-secret-1' });
      await login({ user: 'a', password: 'second-secret-22' });
      await Promise.all([
        login({ user: 'c', password: 'same-secret-4444' }),
        login({ user: 'c', password: 'same-secret-4444' }),
      ]);
      const plain = traceTool('plain', async (value: number) => value);
      await Promise.all([plain(1), plain(1)]);
    });
    expect(marked).toEqual([]);
  });

  it('are where one of them never came to an outcome', async () => {
    const hang = traceTool('hang', (_given: { password: string }) => new Promise(() => {}));
    const { calls, marked } = await recorded(async () => {
      hang({ password: 'first-secret-1' });
      await sleep(1);
      hang({ password: 'second-secret-22' });
    });
    expect(marked).toEqual([calls]);
  });

  it('are as requests to a model, by provider and model', async () => {
    const ask = (model: string, api_key: string): Promise<unknown> =>
      llmRequest({ provider: 'p', model, input: { api_key }, call: () => sleep(1) });
    const { calls, marked } = await recorded(() =>
      Promise.all([ask('m', 'key-0000000001'), ask('other', 'key-0000000002'), ask('m', 'key-0000000003')]),
    );
    expect(marked).toEqual([[calls[0], calls[2]]]);
  });

  it('say nothing of the secrets themselves', async () => {
    const { trace } = await recorded(() =>
      Promise.all([
        login({ user: 'a', password: 'first-secret-1' }),
        login({ user: 'a', password: 'second-secret-22' }),
      ]),
    );
    expect(JSON.stringify(trace)).not.toContain('secret-');
  });
});
