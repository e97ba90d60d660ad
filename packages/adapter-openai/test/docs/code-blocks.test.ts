import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadTrace, validateBundle } from '@stepfork/trace-format';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOpenAiServer, type WireServer } from '../support/openai-server.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGES = { page: 'docs/integrations.md', readme: 'packages/adapter-openai/README.md' };
const sources = mkdtempSync(join(tmpdir(), 'stepfork-blocks-'));
// Where `openai` is found.
const built = mkdtempSync(join(ROOT, 'packages/adapter-openai/node_modules/.blocks-'));
const blocks = Object.entries(PAGES).flatMap(([page, path]) =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], index) => {
    writeFileSync(join(sources, `${page}-${index}.ts`), code);
    return `${page}-${index}`;
  }),
);
let server: WireServer;

beforeAll(async () => {
  server = await startOpenAiServer();
  await build({
    config: false,
    silent: true,
    entry: Object.fromEntries(blocks.map((name) => [name, join(sources, `${name}.ts`)])),
    outDir: built,
    outExtension: () => ({ js: '.mjs' }),
    format: ['esm'],
    platform: 'node',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
    external: ['openai'],
    noExternal: [/^@stepfork\//],
  });
});
afterAll(async () => {
  await server.close();
  for (const folder of [sources, built]) rmSync(folder, { recursive: true });
});

describe('the code blocks of the documentation', () => {
  test('are found', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(4);
  });

  test.each(blocks)('run, and what they ask is recorded: %s', async (block) => {
    const cwd = join(sources, `run-${block}`);
    mkdirSync(cwd);
    const env = { ...process.env, OPENAI_BASE_URL: `${server.origin}/v1`, OPENAI_API_KEY: 'sk-test-0123456789abcdef' };
    const { stderr } = await promisify(execFile)(process.execPath, [join(built, `${block}.mjs`)], { cwd, env });
    expect(stderr).toBe('');
    const traces = join(cwd, '.stepfork', 'traces');
    const [bundle = ''] = readdirSync(traces).filter((name) => name.endsWith('.sftrace'));
    expect(validateBundle(join(traces, bundle)).issues).toEqual([]);
    const { events } = loadTrace(join(traces, bundle));
    expect(events.filter(({ type }) => type === 'llm_response').length).toBeGreaterThan(0);
  });
});
