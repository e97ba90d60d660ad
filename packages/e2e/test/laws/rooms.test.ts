import { expect, test } from 'vitest';
import { publicSources, type SourceFacts } from '../../src/source-facts.js';

const sources = publicSources();
/** Patches what others use, to count it, and uses none of it. */
const isObserver = ({ packageName, room }: SourceFacts): boolean =>
  packageName === '@stepfork/replay' && room.startsWith('observe/');
const isCli = (source: SourceFacts): boolean => source.packageName === '@stepfork/cli';

/** Stands in for the command in a process that is recorded: reads what was chosen for it, and speaks at its end. */
const isRegister = (source: SourceFacts): boolean => source.packageName === '@stepfork/register';

/** Where a source file does something that only `allowed` files may do. */
function offences(
  of: (source: SourceFacts) => readonly { readonly what: string; readonly line?: number }[],
  allowed: (source: SourceFacts) => boolean,
): readonly string[] {
  return sources
    .filter((source) => !allowed(source))
    .flatMap((source) =>
      of(source).map(({ what, line }) => `${source.file}${line === undefined ? '' : `:${line}`} ${what}`),
    );
}

const uses =
  (...names: readonly (string | RegExp)[]) =>
  (source: SourceFacts) =>
    source.uses.filter(({ what }) =>
      names.some((name) => (typeof name === 'string' ? name === what : name.test(what))),
    );

const importing =
  (pattern: RegExp) =>
  (source: SourceFacts): readonly { what: string }[] =>
    source.imports
      .filter(({ specifier, typeOnly }) => pattern.test(specifier) && !typeOnly)
      .map(({ specifier }) => ({ what: specifier }));

test('no value is told by instanceof', () => {
  expect(offences(uses('instanceof'), () => false)).toEqual([]);
});

test('nothing is typed any, and no check is switched off', () => {
  expect(offences(uses('any'), () => false)).toEqual([]);
  const switches = /@ts-(ignore|nocheck|expect-error)|biome-ignore|eslint-disable/;
  expect(sources.filter(({ text }) => switches.test(text)).map(({ file }) => file)).toEqual([]);
});

test('files are touched in the rooms made for it', () => {
  const rooms = (source: SourceFacts): boolean =>
    isCli(source) ||
    isObserver(source) ||
    (/^@stepfork\/(trace-format|redact)$/.test(source.packageName) && source.room.startsWith('bundle/')) ||
    (source.packageName === '@stepfork/register' && source.room === 'taken') ||
    (source.packageName === '@stepfork/exporter-kit' && /^(write|project)\b/.test(source.room));
  expect(offences(importing(/^node:fs/), rooms)).toEqual([]);
});

test('hashes are made in trace-format/hash, random ids in rooms named clock', () => {
  const rooms = (source: SourceFacts): boolean => isObserver(source) || /(^|\/)(hash|clock)$/.test(source.room);
  expect(offences(importing(/^node:crypto/), rooms)).toEqual([]);
});

test('clock and randomness are read in rooms named clock', () => {
  const rooms = (source: SourceFacts): boolean => isCli(source) || /(^|\/)clock$/.test(source.room);
  expect(offences(uses('Date.now', 'new Date()', 'Math.random', 'performance.now'), rooms)).toEqual([]);
});

test('the async context is held in the slot', () => {
  const rooms = ({ packageName, room }: SourceFacts): boolean =>
    packageName === '@stepfork/recorder' && room === 'boundary/slot';
  // The replay watches pending resources with the same module; it holds no context of its own.
  const storage = (source: SourceFacts) =>
    /new (asyncHooks\.)?AsyncLocalStorage\b/.test(source.text) ? [{ what: 'new AsyncLocalStorage' }] : [];
  expect(offences(storage, rooms)).toEqual([]);
});

test('the environment is read by the command and by the kill switch, and given placeholder keys in tests', () => {
  const rooms = (source: SourceFacts): boolean =>
    isCli(source) ||
    isObserver(source) ||
    (isRegister(source) && source.room === 'settings') ||
    (source.packageName === '@stepfork/recorder' && source.room === 'disabled') ||
    (source.packageName === '@stepfork/exporter-kit' && source.room === 'runtime/placeholder-keys');
  expect(offences(uses('process.env'), rooms)).toEqual([]);
});

test('printing and exit codes belong to the command', () => {
  const rooms = (source: SourceFacts): boolean =>
    isCli(source) || (isRegister(source) && ['settings', 'say', 'register'].includes(source.room));
  expect(offences(uses('console', /^process\.(stdout|stderr|exit|exitCode|argv)$/), rooms)).toEqual([]);
});

test('code is loaded by name only in entrypoint, plugins and the lazy commands', () => {
  const rooms = (source: SourceFacts): boolean => isCli(source);
  const dynamic = (source: SourceFacts) =>
    source.imports.filter((found) => found.dynamic).map(({ specifier }) => ({ what: `import(${specifier})` }));
  expect(offences(dynamic, rooms)).toEqual([]);
});

test('what is thrown is a StepforkError', () => {
  expect(offences(uses(/^throw new /), () => false)).toEqual([]);
});

test('an index file does nothing but pass on', () => {
  const body = /^\s*(export (type )?(\*|\{[^}]*\}) from '[^']+';|\/\/.*|\/\*[\s\S]*?\*\/|\s)*$/;
  expect(sources.filter(({ room, text }) => room === 'index' && !body.test(text)).map(({ file }) => file)).toEqual([]);
});

test('no file is longer than a person reads in one go', () => {
  expect(sources.filter(({ lines }) => lines > 400).map(({ file, lines }) => `${file} ${lines}`)).toEqual([]);
});

test('files are named in kebab-case', () => {
  expect(sources.filter(({ room }) => !/^[a-z0-9]+([-/][a-z0-9]+)*$/.test(room)).map(({ file }) => file)).toEqual([]);
});
