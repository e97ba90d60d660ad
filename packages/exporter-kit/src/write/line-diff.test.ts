import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineDiff } from './line-diff.js';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('lineDiff', () => {
  test('shows what changed with three lines around it, and where it left lines out', () => {
    const before = numbered(20);
    const after = before.with(8, 'mine').toSpliced(16, 1);
    expect(lineDiff(before.join('\n'), after.join('\n'))).toBe(`  …
  line 5
  line 6
  line 7
- line 8
+ mine
  line 9
  line 10
  line 11
  …
  line 13
  line 14
  line 15
- line 16
  line 17
  line 18
  line 19`);
  });

  test('is empty for equal texts, and shows no control character', () => {
    expect(lineDiff('a\nb', 'a\nb')).toBe('');
    expect(lineDiff('a', '\u001b[2J')).not.toContain('\u001b');
  });

  test('holds every line of both texts that is not in the other', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before.join('\n'), after.join('\n')).split('\n');
        const of = (...signs: string[]) => lines.filter((line) => signs.includes(line[0] ?? '')).length;
        const length = (list: string[]) => Math.max(list.length, 1);
        expect(of('+') - of('-')).toBe(length(after) - length(before));
      }),
    );
  });

  test('of two long texts that share nothing is the one and then the other', () => {
    const diff = lineDiff(numbered(3_000).join('\n'), Array.from({ length: 3_000 }, () => 'x').join('\n'));
    expect(diff.split('\n')).toHaveLength(6_000);
  });
});
