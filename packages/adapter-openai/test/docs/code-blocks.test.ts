import { GOOD_KEY, startOpenAiServer, type WireServer } from '@stepfork/adapter-conformance';
import { codeBlocks } from '@stepfork/adapter-conformance/docs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const blocks = codeBlocks({
  pages: ['docs/integrations.md', 'docs/integrations/openai.md', 'packages/adapter-openai/README.md'],
  packageName: 'adapter-openai',
  sdks: ['openai'],
});
let server: WireServer;

beforeAll(async () => {
  server = await startOpenAiServer();
  await blocks.build();
});
afterAll(async () => {
  await server.close();
  blocks.remove();
});

describe('the code blocks of the documentation', () => {
  test('are found', () => {
    expect(blocks.names.length).toBeGreaterThanOrEqual(4);
  });

  test.each(blocks.names)('run, and what they ask is recorded: %s', async (block) => {
    const { stderr, issues, events } = await blocks.run(block, {
      OPENAI_BASE_URL: `${server.origin}/v1`,
      OPENAI_API_KEY: GOOD_KEY,
    });
    expect([stderr, issues]).toEqual(['', []]);
    expect(events.filter(({ type }) => type === 'llm_response').length).toBeGreaterThan(0);
  });
});
