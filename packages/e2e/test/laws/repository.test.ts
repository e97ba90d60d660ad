import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { type TextFile, textFiles } from '../../src/repository.js';
import { ROOT } from '../../src/workspace.js';

const files = textFiles();

function holding(pattern: RegExp, among: (path: string) => boolean = () => true): readonly string[] {
  return files
    .filter(({ path }) => among(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
}

const isTest = (path: string): boolean => /\.test\.[cm]?[jt]sx?$/.test(path);
const isSource = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

// Patterns are put together from parts where this file itself would else be found by them.
const oneOf = (...words: readonly string[]): string => `(${words.join('|')})`;

test('no test is skipped, focused or left for later', () => {
  const call = new RegExp(
    `\\b${oneOf('test', 'it', 'describe', 'suite')}(\\.\\w+)*\\.${oneOf('skip', 'only', 'todo', 'fails', 'skipIf', 'runIf')}\\b`,
  );
  const prefixed = new RegExp(`\\b${oneOf('xit', 'xtest', 'xdescribe', 'fit', 'fdescribe')}\\(`);
  expect([...holding(call, isTest), ...holding(prefixed, isTest)]).toEqual([]);
});

test('nothing is left to do', () => {
  expect(holding(new RegExp(`\\b${oneOf('TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK')}\\b`), isSource)).toEqual(
    [],
  );
});

test('no path of one machine stands in the tree', () => {
  const path = new RegExp(
    `(^|[\\s'"\`(=:])(/${oneOf('work', 'home', 'Users', 'root')}/[\\w.-]+|[A-Z]:\\\\\\\\?Users\\\\)`,
  );
  // Hostile and invented paths are what some tests are about.
  expect(holding(path, (file) => !isTest(file) && !/\/(fixtures|test)\//.test(file))).toEqual([]);
});

test('no registry is named', () => {
  const host = new RegExp(`${['registry', '(npmjs|yarnpkg|npmmirror)', '(org|com)'].join('\\.')}|^registry\\s*=`);
  expect(holding(host)).toEqual([]);
  expect(existsSync(join(ROOT, '.npmrc'))).toBe(false);
});

test('every link between pages leads somewhere', () => {
  const pages = files.filter(({ path }) => path.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

function brokenLinks(page: TextFile): readonly string[] {
  const prose = page.text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !leadsSomewhere(page, target))
    .map((target) => `${page.path} → ${target}`);
}

function leadsSomewhere(page: TextFile, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file =
    path === '' ? page.path : posix.normalize(posix.join(posix.dirname(page.path), decodeURIComponent(path)));
  if (!existsSync(join(ROOT, file))) return false;
  if (anchor === undefined) return true;
  const linked = files.find((candidate) => candidate.path === file);
  return linked !== undefined && anchors(linked.text).includes(anchor);
}

/** Anchors of a page's headings, as GitHub makes them. */
function anchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

test('every package says what it is', () => {
  const packages = files.filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path));
  const silent = packages.filter(({ path, text }) => {
    const { private: isPrivate, description } = JSON.parse(text) as { private?: boolean; description?: string };
    return (description ?? '') === '' || (isPrivate !== true && !existsSync(join(ROOT, dirname(path), 'README.md')));
  });
  expect(silent.map(({ path }) => path)).toEqual([]);
});
