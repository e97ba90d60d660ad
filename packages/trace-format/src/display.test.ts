import { describe, expect, it } from 'vitest';
import { displayText } from './display.js';

describe('displayText', () => {
  it.each([
    ['plain, ключ, 😀, é', 'plain, ключ, 😀, é'],
    ['\u001b[2J', '\\u001b[2J'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u0000\u007f\u009b', '\\u0000\\u007f\\u009b'],
    ['\u202eabc\u2066', '\\u202eabc\\u2066'],
    ['\u2028\u2029\u200b\ufeff', '\\u2028\\u2029\\u200b\\ufeff'],
    ['\ud800', '\\ud800'],
    ['\u{e0041}', '\\u{e0041}'],
    ['a\u00adb\u2800c\u3164', 'a\\u00adb\\u2800c\\u3164'],
    ['a\ufe0fb\u200dc\u200c', 'a\\ufe0fb\\u200dc\\u200c'],
    ['\u{1d173}\u{1d159}\u{e01ef}', '\\u{1d173}\\u{1d159}\\u{e01ef}'],
  ])('shows %j as %j', (text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  it('leaves no character that hides text', () => {
    const hiding = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2800]/u;
    for (let code = 0; code <= 0x10ffff; code++) {
      const text = String.fromCodePoint(code);
      const shown = displayText(`a${text}b`);
      if (hiding.test(text) ? /^a\\[nrt]b$|^a\\u/.test(shown) && !hiding.test(shown) : true) continue;
      expect.fail(`U+${code.toString(16)} is shown raw`);
    }
  });

  it.each(['👩‍👩‍👧', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇫🇷'])('leaves the emoji %s whole', (emoji) => {
    expect(displayText(`a${emoji}b`)).toBe(`a${emoji}b`);
  });

  it('leaves no joiner beside an emoji that does not belong to it', () => {
    expect(displayText('👩‍👩‍👧\u200d\u{e0041}')).toBe('👩‍👩‍👧\\u200d\\u{e0041}');
  });
});
