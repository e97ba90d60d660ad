import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { blocks, section } from '../src/markdown.js';
import { testFolder } from '../src/test-folder.js';
import { follow } from '../src/walkthrough.js';
import { ROOT } from '../src/workspace.js';

const page = readFileSync(join(ROOT, 'README.md'), 'utf8');

function blocksOf(heading: string) {
  const { text, line } = section(page, heading);
  return blocks(text, line);
}

test('the quickstart and the jest section work as written, from an empty folder', async () => {
  const folder = testFolder('readme');
  const env = inject('npmEnvironment');

  const quickstart = await follow(blocksOf('Five-minute quickstart'), folder, env);
  const exported = readFileSync(join(folder, 'notify-agent.test.ts'), 'utf8');
  const vitest = quickstart.filter(({ command }) => command === 'npx vitest run');
  expect(vitest.map(({ run }) => run.exit)).toEqual([1, 0]);
  expect(vitest[0]?.run.output).toContain("behavior mismatch at 'should_notify': expected true, got false");
  expect(quickstart.filter(({ command }) => command.includes('stepfork export'))).toHaveLength(1);

  const jest = await follow(blocksOf('With jest'), folder, env);
  expect(jest.at(-1)?.command).toBe('npx jest');
  expect(readFileSync(join(folder, 'notify-agent.test.ts'), 'utf8')).toBe(exported);
  expect(existsSync(join(folder, 'jest/notify-agent.test.ts'))).toBe(true);
});

test('every block of the README is a command, a named file, an output or a fragment of code', () => {
  const loose = blocks(page).filter(
    ({ language, title }) => title === null && !['sh', 'text', 'ts'].includes(language),
  );
  expect(loose.map(({ line }) => `line ${line}`)).toEqual([]);
});
