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
  ])('shows %j as %j', (text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  it('leaves joined emoji whole', () => {
    expect(displayText('👩‍👩‍👧')).toBe('👩‍👩‍👧');
  });
});
