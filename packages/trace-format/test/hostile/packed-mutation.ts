import { createHash } from 'node:crypto';
import type { Random } from '../support/random.js';

/** Changes the text of a packed bundle, Latin-1 so that each byte is one character, in some hostile way. */
type Mutation = (text: string, random: Random) => string;

const NAMES = [
  '../evil.json',
  '/etc/passwd',
  'blobs/x',
  `blobs/${'0'.repeat(64)}`,
  'blobs/../../evil',
  '__proto__',
  'manifest.json',
  'events.jsonl',
  'a\u0000.json',
  '',
];
const SIZES = ['0', '-1', '01', '1e9', '9'.repeat(15), '9'.repeat(400), 'NaN', ''];
const DIGESTS = ['0'.repeat(64), 'A'.repeat(64), '', 'f'.repeat(63)];

/** Rewrites one line of the header. */
function headerLine(text: string, random: Random, change: (parts: string[]) => string[]): string {
  const lines = text.split('\n');
  const at = 1 + random.below(9);
  lines[at] = change((lines[at] ?? '').split(' ')).join(' ');
  return lines.join('\n');
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'flip bytes': (text, random) => {
    const bytes = Buffer.from(text, 'latin1');
    for (let i = random.below(4); i >= 0 && bytes.length > 0; i--)
      bytes[random.below(bytes.length)] = random.below(256);
    return bytes.toString('latin1');
  },
  'cut the end': (text, random) => text.slice(0, random.below(text.length + 1)),
  'append something': (text, random) => text + random.pick(['\n', '{}', '\u0000', text]),
  'rename a member': (text, random) => headerLine(text, random, ([, ...rest]) => [random.pick(NAMES), ...rest]),
  'change a size': (text, random) =>
    headerLine(text, random, ([name = '', , digest = '']) => [name, random.pick(SIZES), digest]),
  'move the border between two members': (text, random) =>
    headerLine(text, random, ([name = '', size = '', digest = '']) => [name, String(Number(size) + 1), digest]),
  'change a digest': (text, random) =>
    headerLine(text, random, ([name = '', size = '']) => [name, size, random.pick(DIGESTS)]),
  'drop or double a line': (text, random) => {
    const lines = text.split('\n');
    const at = random.below(lines.length);
    lines.splice(at, 1, ...(random.below(2) === 0 ? [] : [lines[at] ?? '', lines[at] ?? '']));
    return lines.join('\n');
  },
  'change a blob': (text, random) => {
    const at = text.indexOf('\n', text.indexOf('\n--- blobs/') + 1) + 1 + random.below(1000);
    return text.slice(0, at) + random.pick(['=', '\n', '\u0000', 'A']) + text.slice(at + 1);
  },
  'convert line ends': (text, random) => text.replaceAll('\n', random.pick(['\r\n', '\r'])),
  'change a member and keep its size': (text, random) =>
    text.replace(random.pick(['"timestamp"', '"run_start"', '"schema_version"', '"0.1"']), (found) =>
      random.pick(['"'.padEnd(found.length, 'x'), 'null'.padEnd(found.length)]),
    ),
};

/** Makes the header's own digest right again, as whoever packs a hostile bundle would. */
function resealed(text: string): string {
  const at = text.indexOf('\nseal ') + 1;
  if (at === 0) return text;
  const digest = createHash('sha256').update(text.slice(0, at), 'latin1').digest('hex');
  return `${text.slice(0, at)}seal ${digest}${text.slice(at + 'seal '.length + 64)}`;
}

/** Applies one or two mutations, seals the header anew more often than not, and tells the mutations' names. */
export function mutatePacked(bytes: Buffer, random: Random): { names: readonly string[]; mutated: Buffer } {
  const names: string[] = [];
  let text = bytes.toString('latin1');
  for (let i = random.below(2); i >= 0; i--) {
    const name = random.pick(Object.keys(MUTATIONS));
    text = MUTATIONS[name]?.(text, random) ?? text;
    names.push(name);
  }
  const isSealed = random.below(3) > 0;
  return { names, mutated: Buffer.from(isSealed ? resealed(text) : text, 'latin1') };
}
