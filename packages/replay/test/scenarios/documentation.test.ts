import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const HERE = new URL('./', import.meta.url);
const PAGE = readFileSync(new URL('../../../../docs/replay.md', import.meta.url), 'utf8');
const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

interface Block {
  readonly title: string;
  readonly code: string;
  /** The text block right behind it. */
  readonly prints: string | null;
}

function blocksOf(text: string): readonly Block[] {
  const found = text.matchAll(/^```ts title="([^"]+)"\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?/gms);
  return [...found].map(([, title = '', code = '', prints]) => ({ title, code, prints: prints ?? null }));
}

const blocks = blocksOf(PAGE);
const readme = blocksOf(README);
const cwd = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'stepfork-replay-page-'));

beforeAll(() => {
  for (const { title, code } of blocks) writeFileSync(join(folder, title), code);
  for (const { title, code } of readme) writeFileSync(join(folder, `readme-${title}`), code);
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true, force: true });
});

/** What a file prints when it is run, with the run's id left out. */
async function printedBy(file: string): Promise<string> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(/* @vite-ignore */ join(folder, file));
    return log.mock.calls.map((args) => `${args.join(' ')}\n`.replace(/run_[0-9a-f]{32}/g, 'run_…')).join('');
  } finally {
    log.mockRestore();
  }
}

describe('the page', () => {
  it('has no code that is not run', () => {
    expect(blocks.map(({ title }) => title)).toEqual([
      'agent.ts',
      'record.ts',
      'check.ts',
      'ignoring.ts',
      'words.ts',
      'stopwatch.ts',
      'session.ts',
      'changed.ts',
      'trajectory.ts',
    ]);
    expect(PAGE.match(/^```\w/gm)?.length).toBe(blocks.length + blocks.filter(({ prints }) => prints !== null).length);
  });

  it.each(blocks)('prints what it says: $title', async ({ title, prints }) => {
    expect(await printedBy(title)).toBe(prints ?? '');
  });

  it('has the README run, too', async () => {
    expect(readme).toHaveLength(1);
    expect(await printedBy('readme-check.ts')).toBe('matched\n');
  });

  it('shows messages that a test has seen', () => {
    const messages = [...PAGE.matchAll(/^\|[^|]*\| `((?:recorded )?call #.*)` \|$/gm)].map(
      ([, message = '']) => message,
    );
    const tests = [HERE, new URL('../behaviours/', HERE), new URL('../streams/', HERE)]
      .flatMap(sourcesIn)
      .map(literalText)
      .join('\n');
    expect(messages.length).toBe(12);
    expect(messages.filter((message) => !tests.includes(message))).toEqual([]);
  });
});

function sourcesIn(directory: URL): readonly string[] {
  return readdirSync(directory).map((name) => readFileSync(new URL(name, directory), 'utf8'));
}

/** The source with its string literals as they read: unescaped, and put together where a long line was cut. */
function literalText(source: string): string {
  return source
    .replace(/(['"`]) \+\s+(['"`])/g, '')
    .replaceAll("\\'", "'")
    .replaceAll('\\"', '"');
}
