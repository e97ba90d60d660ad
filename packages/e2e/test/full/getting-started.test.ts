import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { typeFaults } from '../../src/linked-project.js';
import { blocks, section } from '../../src/markdown.js';
import { startModelServer } from '../../src/model-server.js';
import { readPage } from '../../src/site.js';
import { testFolder } from '../../src/test-folder.js';
import { follow, type Walked } from '../../src/walkthrough.js';

/** What the pages promise: five minutes, installing included. */
const PROMISED = 5 * 60_000;

/** Red on the bug and green on its fix, with a test that was exported once. */
function expectRedThenGreen(walked: readonly Walked[], runner: string): void {
  const runs = walked.filter(({ command }) => command === runner);
  expect(runs.map(({ run }) => run.exit)).toEqual([1, 0]);
  expect(runs[0]?.run.output).toContain("behavior mismatch at 'refund': expected true, got false");
  expect(walked.filter(({ command }) => command.includes('stepfork export'))).toHaveLength(1);
}

test('the page leads from an empty folder to a red and then a green test', { timeout: PROMISED }, async () => {
  const page = blocks(readPage('getting-started.md'));
  const walked = await follow(page, testFolder('getting started'), inject('npmEnvironment'));
  expectRedThenGreen(walked, 'npx vitest run');
});

test.each([
  { heading: 'openai', run: 'npx jiti run.ts', runner: 'npx vitest run', asked: 1 },
  { heading: 'AI SDK', run: 'npx jiti run.ts', runner: 'npx vitest run', asked: 1 },
  { heading: 'jest in CommonJS', run: 'node run.js', runner: 'npx jest', asked: 0 },
])(
  'so does its section for $heading, and only the run needs a model and a key',
  { timeout: PROMISED },
  async (walk) => {
    const model = await startModelServer('Damaged.');
    onTestFinished(() => model.close());
    const env = inject('npmEnvironment');
    const credentials = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'a key of nobody' };
    const folder = testFolder(walk.heading);
    const { text, line } = section(readPage('getting-started-with.md'), walk.heading);
    const page = blocks(text, line);
    const recorded = page.findIndex((block) => block.text.startsWith(walk.run)) + 1;

    await follow(page.slice(0, recorded), folder, { ...env, ...credentials });
    const sources = page.flatMap(({ language, title }) =>
      language === 'ts' && title !== null ? [join(folder, title)] : [],
    );
    expect(typeFaults(sources)).toEqual([]);
    expectRedThenGreen(await follow(page.slice(recorded), folder, env), walk.runner);
    expect(model.requests).toHaveLength(walk.asked);
  },
);
