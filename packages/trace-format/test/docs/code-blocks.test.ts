import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, writeFiles } from '../support/bundle-files.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The TypeScript blocks of a page, each run as a module of its own. */
function blocksOf(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

async function run(code: string, name: string): Promise<Record<string, unknown>> {
  const file = join(temporaryFolder(), `${name}.ts`);
  writeFileSync(file, code);
  return (await import(file)) as Record<string, unknown>;
}

describe('the code in the documentation', () => {
  it.each(blocksOf('docs/trace-format.md').map((code, index) => [index, code] as const))(
    'does what it says: docs/trace-format.md, block %i',
    async (index, code) => {
      await run(code, `page-${index}`);
    },
  );

  it('does what it says: README', async () => {
    const [code = ''] = blocksOf('packages/trace-format/README.md');
    const { describeRun } = (await run(code, 'readme')) as { describeRun: (path: string) => string[] };
    expect(describeRun(writeFiles())).toContain(
      'integrity_unverified: there is no integrity.json to verify the bundle against',
    );
  });
});
