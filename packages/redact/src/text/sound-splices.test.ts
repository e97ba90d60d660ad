import { describe, expect, it } from 'vitest';
import { soundSplices } from './sound-splices.js';
import type { Splice } from './splice.js';

/** Characters that a piece of work looks at: each one that is asked for, and all that a search goes over. */
function lookedAt(work: () => void): number {
  let count = 0;
  const { charCodeAt, indexOf, slice } = String.prototype;
  const { exec, test } = RegExp.prototype;
  String.prototype.charCodeAt = function (at) {
    count++;
    return charCodeAt.call(this, at);
  };
  String.prototype.indexOf = function (wanted, from = 0) {
    const found = indexOf.call(this, wanted, from);
    count += 1 + (found < 0 ? this.length : found) - from;
    return found;
  };
  String.prototype.slice = function (from, to) {
    const part = slice.call(this, from, to);
    count += 1 + part.length;
    return part;
  };
  for (const name of ['exec', 'test'] as const) {
    RegExp.prototype[name] = function (this: RegExp, text: string) {
      const from = this.sticky ? this.lastIndex : 0;
      const found = name === 'exec' ? exec.call(this, text) : test.call(this, text);
      count += 1 + (this.sticky ? Math.max(0, this.lastIndex - from) : text.length);
      return found;
    } as never;
  }
  try {
    work();
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf, slice });
    Object.assign(RegExp.prototype, { exec, test });
  }
  return count;
}

const SIZE = 2 ** 20;
/** Deep documents in documents are looked at once for each depth. */
const MOST_LOOKS = 40;

const deep = (depth: number): string => (depth === 0 ? '[1,"x"]' : JSON.stringify([deep(depth - 1), 2]));

describe('splices of a megabyte', () => {
  it.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['backslashes before quotes', '\\\\\\"'],
    ['openings of objects', '{"a":'],
    ['openings of lists', '['],
    ['openings of texts', '["'],
    ['openings of escaped texts', '[\\"'],
    ['openings in keys', '{"{'],
    ['numbers that go on otherwise', '[12 '],
    ['white space', '[ \n\t  '],
    ['escaped white space', '[\\n\\n'],
    ['small documents', '{"a":[1,"\\u00e9"]} '],
    ['one that is never whole', '"a":1,'],
    ['documents in documents', deep(12)],
    ['texts', 'abc, '],
  ])('cost as much as there is of it: %s', (_, part) => {
    for (const before of ['', '{"a":"', '[{"b":']) {
      const text = before + part.repeat(Math.ceil(SIZE / part.length));
      const splices: Splice[] = [];
      for (let from = 3; from + 2 < text.length; from += 7) splices.push({ from, to: from + 2, by: '[REDACTED]' });
      expect(lookedAt(() => soundSplices(text, splices)) / text.length).toBeLessThan(MOST_LOOKS);
    }
  });
});
