import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { applyDiff } from '../src/apply-diff.js';
import { blocks, section } from '../src/markdown.js';
import { plainEnvironment } from '../src/run.js';
import { testFolder } from '../src/test-folder.js';
import { commands, follow } from '../src/walkthrough.js';

const FENCE = '```';

describe('reading a page', () => {
  const page = ['# A', '## B', 'text', `${FENCE}sh`, '# not a heading', FENCE, '### C', 'more', '## D', 'end'].join(
    '\n',
  );

  test('a section ends at the next heading of its depth; a # inside a fence is no heading', () => {
    expect(section(page, 'B').text).toContain('# not a heading');
    expect(section(page, 'B').text).toContain('more');
    expect(section(page, 'B').text).not.toContain('## D');
    expect(() => section(page, 'not a heading')).toThrow("no heading 'not a heading'");
  });

  test('blocks carry language, title and the line they stand at', () => {
    expect(blocks(`a\n${FENCE}ts title="x y.ts"\ncode\n${FENCE}\n`, 10)).toEqual([
      { language: 'ts', title: 'x y.ts', text: 'code\n', line: 12 },
    ]);
    expect(() => blocks(`${FENCE}sh\nnever closed`)).toThrow('line 1');
  });

  test('a backslash joins lines, a comment names the exit code', () => {
    expect(commands('# why\na \\\n  b\nc # exits 1\n\nd # it is fine\n')).toEqual([
      { command: 'a b', promised: 0 },
      { command: 'c', promised: 1 },
      { command: 'd', promised: 0 },
    ]);
  });
});

describe('applying a diff', () => {
  test('changes the lines where they stand, with or without hunk headers', () => {
    expect(applyDiff('a\nb\nc\n', '-b\n+B\n')).toBe('a\nB\nc\n');
    expect(applyDiff('a\nb\nc\n', '--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+$&\n')).toBe('a\n$&\nc\n');
  });

  test('refuses lines that are not there, or there twice', () => {
    expect(() => applyDiff('a\n', '-b\n+c\n')).toThrow('0 times');
    expect(() => applyDiff('a\na\n', '-a\n+c\n')).toThrow('2 times');
  });
});

describe('following a page', () => {
  const page = (...texts: readonly string[]) => blocks(texts.join('\n'));
  const file = (title: string, text: string): string => `${FENCE}txt title="${title}"\n${text}\n${FENCE}`;
  const sh = (text: string): string => `${FENCE}sh\n${text}\n${FENCE}`;
  const output = (text: string): string => `${FENCE}text\n${text}\n${FENCE}`;

  test('writes files, runs commands, changes files, in order', async () => {
    const folder = testFolder('follow');
    const diff = `${FENCE}diff title="a/b.txt"\n-one\n+two\n${FENCE}`;
    const walked = await follow(
      page(file('a/b.txt', 'one'), sh('cat a/b.txt'), output('one'), diff, sh('cat a/b.txt\nexit 3 # exits 3')),
      folder,
      {},
    );
    expect(walked.map(({ run }) => [run.exit, run.stdout])).toEqual([
      [0, 'one\n'],
      [0, 'two\n'],
      [3, ''],
    ]);
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('two\n');
  });

  test('stops at an exit code or an output that the page does not promise', async () => {
    const folder = testFolder('follow');
    writeFileSync(join(folder, 'seen.txt'), 'took 12 ms\n');
    await expect(follow(page(sh('false')), folder, {})).rejects.toThrow("'false' exited 1 where the page says 0");
    await expect(follow(page(sh('true # exits 1')), folder, {})).rejects.toThrow('exited 0 where the page says 1');
    await follow(page(sh('cat seen.txt'), output('took … ms')), folder, {});
    await expect(follow(page(sh('cat seen.txt'), output('took 1 ms')), folder, {})).rejects.toThrow('took 1 ms');
  });
});

describe('the environment of a command', () => {
  test('has nothing that proves to a provider who asks', () => {
    const names = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'AWS_SECRET_ACCESS_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'];
    for (const name of names) vi.stubEnv(name, 'of mine');
    expect(names.filter((name) => name in plainEnvironment())).toEqual([]);
    vi.unstubAllEnvs();
  });
});
