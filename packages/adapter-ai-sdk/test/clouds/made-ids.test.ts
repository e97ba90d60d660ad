import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { GOOD_KEY, reaching, startGoogleServer, type WireServer } from '@stepfork/adapter-conformance';
import { record } from '@stepfork/recorder';
import { generateText, streamText, tool } from 'ai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { instrument } from '../../src/index.js';

let server: WireServer;
let folder: string;
beforeEach(async () => {
  server = await startGoogleServer();
  folder = mkdtempSync(join(tmpdir(), 'stepfork-made-ids-'));
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const tools = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: async () => 'sun' }),
};

/** The ids of the calls that a model asks for; Gemini gives none. */
async function idsOf(prompt: string): Promise<readonly string[]> {
  const google = instrument(createGoogleGenerativeAI({ apiKey: GOOD_KEY, fetch: reaching(server.origin) }));
  const asked = { model: google('gemini-3-pro'), tools, prompt };
  const whole = (await generateText(asked)).toolCalls;
  const streamed = await streamText(asked).toolCalls;
  return [...whole, ...streamed].map(({ toolCallId }) => toolCallId);
}

test('ids that a model makes up are the same in each run, and no two in one', async () => {
  const run = (name: string) =>
    record('agent', { output: join(folder, `${name}.sftrace`) }, async () => [
      ...(await idsOf('Rome, Oslo?')),
      ...(await idsOf('Rome, Oslo?')),
      ...(await idsOf('Lima?')),
    ]);
  const ids = await run('one');
  expect(new Set(ids).size).toBe(10);
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^\w{16}$/)));
  expect(await run('two')).toEqual(ids);
});

test('outside a run they are what the SDK makes them', async () => {
  expect(await idsOf('Rome?')).not.toEqual(await idsOf('Rome?'));
});
