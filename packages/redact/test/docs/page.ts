import { readFileSync } from 'node:fs';
import type { Json } from '@stepfork/trace-format/write';

/** docs/redaction.md, as far as a program reads it. */
const page = readFileSync(new URL('../../../../docs/redaction.md', import.meta.url), 'utf8');

export interface Row {
  readonly rule: string;
  readonly redacted: Json;
  readonly spared: Json;
  readonly source: string;
}

/** The rows of the table under a heading, or of the n-th one there. */
export function tableUnder(heading: string, nth = 0): readonly Row[] {
  return rowsUnder(heading, nth).map(([rule = '', redacted = '', spared = '', source = '']) => ({
    rule: rule.replaceAll('`', ''),
    redacted: sample(redacted),
    spared: sample(spared),
    source: source.replace(/^<|>$/g, ''),
  }));
}

/** The one column of a table of values that no rule touches. */
export function sparedUnder(heading: string, nth: number): readonly Json[] {
  return rowsUnder(heading, nth).map(([value = '']) => sample(value));
}

function rowsUnder(heading: string, nth: number): readonly (readonly string[])[] {
  const from = page.indexOf(`${heading}\n`);
  if (from < 0) throw new Error(`no heading '${heading}'`);
  const tables = page.slice(from).matchAll(/(?:^\|.*\|\n)+/gm);
  const table = [...tables][nth]?.[0] ?? '';
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) => line.slice(2, -2).split(' | '));
}

function sample(cell: string): Json {
  const text = cell.replace(/^`|`$/g, '');
  return text.startsWith('{') ? (JSON.parse(text) as Json) : text;
}

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The JavaScript blocks of the page and of the package's README. */
export const examples: readonly string[] = [...(page + readme).matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
);
