import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Random } from '../support/random.js';

/** Changes a bundle on disk in some hostile way. */
type Mutation = (bundle: string, random: Random) => void;

const FILES = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json', 'runtime.jsonl'];
const PROTOTYPE = '{"polluted":1,"toString":1}';

/** JSON texts to put where something else is expected. */
const ODD_JSON = [
  ...[
    'null',
    'true',
    '-1',
    '0.5',
    '""',
    '[]',
    '{}',
    '1e400',
    '-0',
    '1.0',
    'NaN',
    '-Infinity',
    '"\\ud800"',
    '"\\u001b[2J"',
  ],
  ...['9'.repeat(400), '9'.repeat(5000), `1${'0'.repeat(308)}`, '1e999999999', '123456789012345678901234567890.5'],
  ...[`{"__proto__":${PROTOTYPE}}`, `{"constructor":{"prototype":${PROTOTYPE}}}`, '"__proto__"', '"constructor"'],
  ...[
    '{"$stepfork":"date","value":[]}',
    `{"$stepfork":"bytes","kind":"Buffer","blob":"${'0'.repeat(64)}","size":1e9}`,
    '{"$stepfork":"stream","kind":"web","end":"complete","chunks":[{"$stepfork":"stream"}]}',
    '{"$stepfork":"error","name":"E","message":"m","fields":{"__proto__":1}}',
  ],
  ...[
    '['.repeat(999) + ']'.repeat(999),
    '['.repeat(50_000),
    '{"a":'.repeat(2000),
    '['.repeat(20_000) + ']'.repeat(20_000),
  ],
];

/** Names of all files that belong to a bundle, its blobs included. */
function filesOf(bundle: string): readonly string[] {
  const folder = join(bundle, 'blobs');
  const blobs = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder).sort() : [];
  return [...FILES, ...blobs.map((name) => join('blobs', name))];
}

/** One of the files that an earlier mutation has left as a file. */
function path(bundle: string, random: Random): string {
  const files = filesOf(bundle)
    .map((name) => join(bundle, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile());
  return random.pick(files);
}

/** Rewrites a file as text. */
function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Replaces one JSON token of a text: a key with its value, or a value. */
function replaceValue(text: string, random: Random, by: (key: string, value: string) => string): string {
  const matches = [...text.matchAll(/"([^"\\]*)":\s*("(?:[^"\\]|\\.)*"|[-\w.]+|\[\]|\{\})/g)];
  const match = matches.length > 0 ? random.pick(matches) : undefined;
  if (match === undefined) return random.pick(ODD_JSON);
  const [whole, key = '', value = ''] = match;
  return text.slice(0, match.index) + by(key, value) + text.slice(match.index + whole.length);
}

export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'flip bytes': (bundle, random) => {
    const file = path(bundle, random);
    const bytes = readFileSync(file);
    for (let i = random.below(4); i >= 0 && bytes.length > 0; i--)
      bytes[random.below(bytes.length)] = random.below(256);
    writeFileSync(file, bytes);
  },
  'cut the end': (bundle, random) => {
    const file = path(bundle, random);
    truncateSync(file, random.below(readFileSync(file).length + 1));
  },
  'drop, double or swap lines': (bundle, random) =>
    rewrite(path(bundle, random), (text) => {
      const lines = text.split('\n');
      const line = random.pick(lines);
      const place = random.below(lines.length);
      lines.splice(place, random.below(2), ...(random.below(2) === 0 ? [line] : []));
      return lines.join(random.pick(['\n', '\r\n', '\r', '\n\n', '\u2028']));
    }),
  'drop a key': (bundle, random) =>
    rewrite(path(bundle, random), (text) => replaceValue(text, random, () => '').replace(/,\s*,/, ',')),
  'change a value': (bundle, random) =>
    rewrite(path(bundle, random), (text) => replaceValue(text, random, (key) => `"${key}":${random.pick(ODD_JSON)}`)),
  'rename a key': (bundle, random) =>
    rewrite(path(bundle, random), (text) =>
      replaceValue(
        text,
        random,
        (_key, value) => `${random.pick(['"__proto__"', '"constructor"', '"x"', '"inp\\u0075t"'])}:${value}`,
      ),
    ),
  'add a key': (bundle, random) =>
    rewrite(path(bundle, random), (text) =>
      replaceValue(
        text,
        random,
        (key, value) => `"${random.pick(['__proto__', 'id', key])}":${random.pick(ODD_JSON)},"${key}":${value}`,
      ),
    ),
  'replace a file': (bundle, random) => {
    const contents = [
      '',
      '\n',
      '\ufeff{}',
      'null',
      '[]',
      '{"schema_version":"0.1"}',
      '{"schema_version":"__proto__"}',
      random.pick(ODD_JSON),
    ];
    writeFileSync(path(bundle, random), random.pick(contents));
  },
  'append to a file': (bundle, random) =>
    appendFileSync(path(bundle, random), random.pick([...ODD_JSON, '\n', Buffer.from([0xff, 0xfe]), '{"type":'])),
  'remove a file': (bundle, random) => rmSync(path(bundle, random)),
  'rename a blob, or point elsewhere': (bundle, random) => {
    const names = filesOf(bundle).slice(FILES.length);
    if (names.length === 0) return rmSync(path(bundle, random));
    const digest = basename(random.pick(names));
    const other = random.pick(['../manifest.json', '0'.repeat(64), digest.toUpperCase(), '', '__proto__', '/dev/zero']);
    if (random.below(2) === 0) {
      renameSync(join(bundle, 'blobs', digest), join(bundle, 'blobs', other.replaceAll('/', '') || 'x'));
    } else {
      rewrite(path(bundle, random), (text) => text.replace(digest, other));
    }
  },
  'put a link or a file for the folder of blobs': (bundle, random) => {
    const folder = join(bundle, 'blobs');
    rmSync(folder, { recursive: true, force: true });
    if (random.below(3) === 0) writeFileSync(folder, '');
    else symlinkSync(random.pick(['.', '..', '/dev', '/nowhere', 'blobs']), folder);
  },
  'put a directory for a file': (bundle, random) => {
    const file = path(bundle, random);
    rmSync(file);
    mkdirSync(file);
  },
  'put a link for a file': (bundle, random) => {
    const file = path(bundle, random);
    rmSync(file);
    symlinkSync(
      random.pick(['/proc/version', '/dev/zero', '/nowhere', file, 'manifest.json', '..', '.', '../outside.json']),
      file,
    );
  },
};

/** Applies one to three mutations and returns their names. */
export function mutate(bundle: string, random: Random): readonly string[] {
  const names: string[] = [];
  for (let i = random.below(3); i >= 0; i--) {
    const name = random.pick(Object.keys(MUTATIONS));
    MUTATIONS[name]?.(bundle, random);
    names.push(name);
  }
  return names;
}
