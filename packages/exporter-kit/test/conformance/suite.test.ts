import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Exporter, RegressionCase } from '@stepfork/exporter-kit';
import { EXPORTER_CONTRACT, renderCase, renderFiles } from '@stepfork/exporter-kit';
import { conformance, type TestOutcome } from '@stepfork/exporter-kit/conformance';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from '../consumer/conformance-world.js';

const root = mkdtempSync(join(tmpdir(), 'stepfork-conformance-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const dialect = {
  exporter: 'mine',
  packageName: '@acme/exporter-mine',
  framework: 'mine',
  functions: ['beforeAll', 'describe', 'expect', 'test'],
};
const sound: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'mine',
  fileSuffix: () => '.test.ts',
  render: (regression) => renderFiles(regression, dialect),
};
const withText = (change: (text: string, regression: RegressionCase) => string): Exporter => ({
  ...sound,
  render: (regression) =>
    renderCase(sound, regression).map(({ path, text }) => ({ path, text: change(text, regression) })),
});

/** Each check's name, and what it says against this exporter in a framework that ends every test file alike. */
async function verdicts(exporter: Exporter, outcome: TestOutcome): Promise<Record<string, string>> {
  const checks = conformance(exporter, {
    target: { module: 'esm', typescript: true, globals: false },
    parse,
    prepare: async () => ({
      folder: mkdtempSync(join(root, 'world-')),
      run: async (files) => Object.fromEntries(files.map((file) => [file, outcome])),
    }),
  });
  const told: Record<string, string> = {};
  for (const { name, check } of checks) {
    told[name] = await check().then(
      () => 'meets it',
      (error: Error) => error.message,
    );
  }
  return told;
}

const RENDERS = 'renders the same case to the same harmless files, whatever a recording says';

describe('conformance', () => {
  test('asks for more than a file that is green', async () => {
    const told = await verdicts(sound, { passed: true, output: 'fine' });
    expect(told[RENDERS]).toBe('meets it');
    expect(told['stays inert whatever a recording says']).toBe('meets it');
    expect(told['is green on the corrected agent']).toBe('meets it');
    expect(told['is red on a wrong output, naming the path']).toBe('it is green:\nfine');
    expect(told['is red on another call whose refusal the agent swallows']).toBe('it is green:\nfine');
  });

  test('asks for more than a file that is red: it says why', async () => {
    const told = await verdicts(sound, { passed: false, output: 'no' });
    expect(told['is green on the corrected agent']).toBe('it is red:\nno');
    expect(told['stays inert whatever a recording says']).toBe('a test rendered from hostile text is not green:\nno');
    expect(told['is red on a wrong output, naming the path']).toBe(
      "the framework does not say behavior mismatch at 'should_notify': expected true, got false, but:\nno",
    );
  });

  test.each<[what: string, exporter: Exporter, says: RegExp]>([
    ['places text as it is', withText((text, { title }) => `${text}// ${title}\n`), /has the character U\+/],
    [
      'quotes by hand',
      withText((text, { agentName }) => `${text}const a = '${agentName.replace(/[^ -~]/gu, '')}';\n`),
      /expected|Unterminated/,
    ],
    ['renders otherwise each time', withText(unsteady()), /rendered otherwise the second time/],
    [
      'names the file itself',
      { ...sound, render: (regression) => [{ path: 'mine.test.ts', text: regression.title }] },
      /no file is named hostile\.test\.ts|no file is named/,
    ],
    [
      'leaves the folder',
      { ...sound, render: (regression) => [...renderCase(sound, regression), { path: '../x.ts', text: '' }] },
      /\.\.\/x\.ts leaves the test's folder/,
    ],
  ])('refuses an exporter that %s', async (_, exporter, says) => {
    const told = await verdicts(exporter, { passed: true, output: '' });
    expect(told[RENDERS]).toMatch(says);
  });

  test('refuses what is no exporter', async () => {
    const { contract: _, ...unstated } = sound;
    const told = await verdicts(unstated as Exporter, { passed: true, output: '' });
    expect(told['is an exporter']).toContain('it states no contract version');
  });
});

function unsteady(): (text: string) => string {
  let count = 0;
  return (text) => {
    count += 1;
    return `${text}// ${count}\n`;
  };
}
