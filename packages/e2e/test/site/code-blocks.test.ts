import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { writeFiles } from '../../src/consumer.js';
import { linkedProject, typeFaults } from '../../src/linked-project.js';
import { type Block, blocks } from '../../src/markdown.js';
import { docsPages, readPage } from '../../src/site.js';
import { follow } from '../../src/walkthrough.js';

/** Pages whose blocks are run by the tests of the package that they are about, or with what they install (test/full). */
const ELSEWHERE = new Set([
  'cli.md',
  'config.md',
  'diff.md',
  'exporting.md',
  'getting-started-with.md',
  'integrations.md',
  'integrations/ai-sdk.md',
  'integrations/anthropic.md',
  'integrations/openai.md',
  'integrations/register.md',
  'recording.md',
  'redaction.md',
  'replay.md',
  'trace-format.md',
  'writing-an-exporter.md',
]);

/** The API reference is made of declarations that the compiler has seen. */
const isMade = (page: string): boolean => page.startsWith('api/');

const pages = docsPages()
  .filter((page) => !ELSEWHERE.has(page) && !isMade(page))
  .map((page) => ({ page, code: blocks(readPage(page)) }));
const withTypeScript = pages.filter(({ code }) => code.some(({ language }) => language === 'ts'));
const workflows = pages.flatMap(({ page, code }) =>
  code.filter(({ language }) => language === 'yaml').map((block) => ({ page, block })),
);

const typescriptOf = (code: readonly Block[]): Record<string, string> =>
  Object.fromEntries(
    code.filter(({ language }) => language === 'ts').map(({ title, line, text }) => [title ?? `line-${line}.ts`, text]),
  );

test('blocks of TypeScript, yaml and commands are what there is', () => {
  expect(withTypeScript.length).toBeGreaterThanOrEqual(3);
  const known = ['ts', 'js', 'sh', 'text', 'diff', 'yaml'];
  const others = pages.flatMap(({ page, code }) =>
    code.filter(({ language }) => !known.includes(language)).map(({ line }) => `${page}:${line}`),
  );
  expect(others).toEqual([]);
});

test('the TypeScript of every page holds its types', () => {
  const folder = linkedProject('types');
  const files = withTypeScript.flatMap(({ page, code }) => {
    const ofPage = join(folder, page.replaceAll(/\W/g, '-'));
    const written = typescriptOf(code);
    writeFiles(ofPage, written);
    return Object.keys(written).map((file) => join(ofPage, file));
  });
  expect(typeFaults(files)).toEqual([]);
});

test('the page of the assertions does what it says', async () => {
  const walked = await follow(blocks(readPage('assertions.md')), linkedProject('assertions'), {});
  expect(walked.map(({ command }) => command)).toEqual(['npx jiti record.ts', 'npx vitest run', 'npx jiti check.ts']);
  expect(walked[1]?.run.output).toMatch(/Tests\s+3 passed/);
});

interface Workflow {
  readonly name: string;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { run?: string; uses?: string }[] }>>;
}

test.each(workflows)('the workflow at $page:$block.line is one, and may do no more than read', ({ block }) => {
  const { name, permissions, jobs } = load(block.text) as Workflow;
  expect(block.title).toBe(`.github/workflows/${name}.yml`);
  expect(permissions).toEqual({ contents: 'read' });
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  expect(steps.map(({ uses }) => uses?.replace(/@v\d+$/, ''))).toContain('actions/checkout');
  expect(steps.filter(({ run, uses }) => (run === undefined) === (uses === undefined))).toEqual([]);
});

test('what runs exported tests names no credential', () => {
  const named = workflows.filter(({ block }) => /secrets\.|env:/.test(block.text));
  expect(named.map(({ block }) => block.title)).toEqual(['.github/workflows/nightly.yml']);
});
