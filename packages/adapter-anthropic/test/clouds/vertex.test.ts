import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { adapterLaws, GOOD_KEY, roundTrip, startVertexServer } from '@stepfork/adapter-conformance';
import { describe, expect, test } from 'vitest';
import { instrument } from '../../src/index.js';
import { connectBy, vertexUnderTest } from './vertex.js';

describe('the adapter with @anthropic-ai/vertex-sdk', () => {
  test.each(adapterLaws(vertexUnderTest))('$name', ({ check }) => check(), 120_000);
});

test('a client without an account replays, where it is told its project', async () => {
  const [server, folder] = [await startVertexServer(), mkdtempSync(join(tmpdir(), 'stepfork-vertex-'))];
  try {
    const googleAuth = { getClient: async () => Promise.reject(new Error('Could not load the default credentials')) };
    const nobodys = instrument(
      new AnthropicVertex({ region: 'europe-west1', projectId: 'demo-project', googleAuth: googleAuth as never }),
    );
    const somebodys = instrument(connectBy(server.origin, async () => GOOD_KEY));
    const ask = (client: object) => async () => vertexUnderTest.ask(client as Anthropic, { text: 'hi' });
    const replayed = ask(nobodys);
    const { recorded, report } = await roundTrip(join(folder, 'run.sftrace'), server, ask(somebodys), { replayed });
    expect([report.verdict, report.output]).toEqual(['matched', recorded]);
    await expect(replayed()).rejects.toThrow('Failed to acquire Google OAuth credentials.');
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
