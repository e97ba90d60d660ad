import { describe, expect, it } from 'vitest';
import { formatAge, formatSize, parseMoment, parseSize, parseSpan } from './units.js';

const DAY = 86_400_000;

describe('spans and moments', () => {
  it.each([
    ['30s', 30_000],
    ['90min', 5_400_000],
    ['90m', 5_400_000],
    ['12h', 43_200_000],
    ['2d', 2 * DAY],
    ['1w', 7 * DAY],
    ['1.5d', 1.5 * DAY],
  ])('reads %s', (text, milliseconds) => expect(parseSpan(text)).toBe(milliseconds));

  it.each(['', '2', 'd', '-2d', '2 days', '1e3d', '2dd', '99999999999d'])('does not read %j', (text) =>
    expect(parseSpan(text)).toBeNull(),
  );

  it('reads a span that ended now, a date, and a time with and without a zone', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(parseMoment('2d', now)).toBe(now - 2 * DAY);
    expect(parseMoment('2026-11-29', now)).toBe(Date.parse('2026-11-29'));
    expect(parseMoment('2026-11-29T01:02:03+02:00', now)).toBe(Date.parse('2026-11-28T23:02:03Z'));
    expect(parseMoment('2026-11-29T01:02', now)).toBe(Date.parse('2026-11-29T01:02'));
    for (const text of ['yesterday', '11/29/2026', '2026-13-40', '2026']) expect(parseMoment(text, now)).toBeNull();
  });

  it.each([
    [-5, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [2 * DAY - 1, '47 h'],
    [2 * DAY, '2 d'],
    [400 * DAY, '400 d'],
  ])('tells an age of %d ms', (age, text) => expect(formatAge(age)).toBe(text));
});

describe('sizes', () => {
  it.each([
    ['0', 0],
    ['812', 812],
    ['1kB', 1000],
    ['64KiB', 65_536],
    ['1.5GB', 1_500_000_000],
    ['2 mb', 2_000_000],
    ['1T', 1e12],
  ])('reads %s', (text, bytes) => expect(parseSize(text)).toBe(bytes));

  it.each(['', 'GB', '-1GB', '1XB', '1iB', '1e9'])('does not read %j', (text) => expect(parseSize(text)).toBeNull());

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [999_999, '1.0 MB'],
    [123_456, '123 kB'],
    [5e15, '5000 TB'],
  ])('tells %d bytes', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});
