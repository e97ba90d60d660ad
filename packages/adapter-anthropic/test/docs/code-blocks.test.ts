import { GOOD_KEY, startAnthropicServer, type WireServer } from '@stepfork/adapter-conformance';
import { codeBlocks } from '@stepfork/adapter-conformance/docs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const blocks = codeBlocks({
  pages: ['docs/integrations/anthropic.md', 'packages/adapter-anthropic/README.md'],
  packageName: 'adapter-anthropic',
  sdks: ['@anthropic-ai/sdk', 'zod'],
});
let server: WireServer;

beforeAll(async () => {
  server = await startAnthropicServer();
  await blocks.build();
});
afterAll(async () => {
  await server.close();
  blocks.remove();
});

describe('the code blocks of the documentation', () => {
  test('are found', () => {
    expect(blocks.names.length).toBeGreaterThanOrEqual(3);
  });

  test.each(blocks.names)('run, and what they ask is recorded: %s', async (block) => {
    const { stderr, issues, events } = await blocks.run(block, {
      ANTHROPIC_BASE_URL: server.origin,
      ANTHROPIC_API_KEY: GOOD_KEY,
    });
    expect([stderr, issues]).toEqual(['', []]);
    expect(events.filter(({ type }) => type === 'llm_response').length).toBeGreaterThan(0);
  });
});
