import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded } from './fold.js';

const LINE = '  output     recorded a rather long text that no terminal of this width can hold';

describe('folded', () => {
  it('breaks at spaces, and indents what goes on', () => {
    expect(folded(LINE, 40)).toBe(`  output     recorded a rather long text
    that no terminal of this width can
    hold`);
    expect(folded(LINE, 40, 11).split('\n')[1]).toBe('             that no terminal of this');
  });

  it('leaves short lines, pipes and very narrow terminals alone', () => {
    expect(folded('a\nb', 40)).toBe('a\nb');
    for (const columns of [null, 10]) expect(folded(LINE, columns)).toBe(LINE);
  });

  it('breaks a word that has no space, and no character', () => {
    expect(folded('x'.repeat(70), 30)).toBe(`${'x'.repeat(30)}\n  ${'x'.repeat(28)}\n  ${'x'.repeat(12)}`);
    expect(folded('😀'.repeat(40), 31)).not.toMatch(/[\ud800-\udbff]\n/);
  });

  it('loses nothing, and exceeds no line', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), fc.integer({ min: 30, max: 120 }), (words, columns) => {
        const text = folded(words.join(' '), columns);
        for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
        expect(text.replaceAll(/\s+/g, '')).toBe(words.join(''));
      }),
    );
  });
});
