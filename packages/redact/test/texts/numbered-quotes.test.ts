import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';
import { assembled, chunked, piecesOf } from '../chunks/streams.js';

/** As a serializer writes it whose JSON may stand in HTML. */
function numbered(value: unknown): string {
  const inString = (text: string): string =>
    text.replace(/["&'<>+]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  if (typeof value === 'string') return `"${inString(value.replaceAll('\\', '\\\\'))}"`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(numbered).join(',')}]`;
  return `{${Object.entries(value).map(([key, item]) => `${numbered(key)}:${numbered(item)}`)}}`;
}

const SECRETS = { user: 'ada', password: 'swordfish+1', api_key: 'q1w2e3r4', pin: { secret: 17 } };
const CLEAN = { user: 'ada', password: REDACTED, api_key: REDACTED, pin: { secret: REDACTED } };

type Write = (value: unknown) => string;
const writers: readonly (readonly [string, Write])[] = [
  ['numbered in numbered', (value) => numbered({ a: numbered({ b: numbered(value) }) })],
  ['plain in numbered', (value) => numbered({ a: JSON.stringify({ b: JSON.stringify(value) }) })],
  ['numbered in plain', (value) => JSON.stringify({ a: numbered({ b: numbered(value) }) })],
  ['plain in numbered in plain', (value) => JSON.stringify({ a: numbered({ b: JSON.stringify(value) }) })],
];

function innermost(json: unknown): unknown {
  const { a } = JSON.parse(String(json)) as { a: string };
  return JSON.parse((JSON.parse(a) as { b: string }).b);
}

describe('keys between quotes that are written as numbers', () => {
  it.each(writers)('are seen, %s', (_, write) => {
    const json = write(SECRETS);
    expect(innermost(json)).toEqual(SECRETS);
    const { value, findings } = createRedactor().redact({ body: json });
    const { body } = value as { body: string };
    expect(innermost(body)).toEqual(CLEAN);
    expect(findings).toEqual([{ path: '/body', reason: 'sensitive_key' }]);
    expect(createRedactor().redact(body)).toEqual({ value: body, findings: [] });
  });

  it.each(writers)('are seen in pieces, %s', (_, write) => {
    const json = write(SECRETS);
    const whole = createRedactor().redact(json).value;
    for (const size of [1, 2, 5, 7]) {
      expect(assembled(chunked(createRedactor(), piecesOf(json, size)))).toBe(whole);
    }
  });

  it.each([
    ['{\\u0022password\\u0022:\\u0022abcd\\u0022,', '{\\u0022password\\u0022:\\u0022[REDACTED]\\u0022,'],
    ['{\\\\u0022password\\\\u0022: 12}', '{\\\\u0022password\\\\u0022: \\\\\\"[REDACTED]\\\\\\"}'],
    ['"set password=\\u0022open sesame\\u0022"', '"set password=\\u0022[REDACTED]\\u0022"'],
    ['"/a?b=c\\u0026token=aaaaaaaa\\u0026d=e"', '"/a?b=c\\u0026token=[REDACTED]\\u0026d=e"'],
    ['"a=b\\u003d\\u0026x"', '"a=b\\u003d\\u0026x"'],
  ])('leave all else as it was written: %s', (text, expected) => {
    expect(createRedactor().redact(text).value).toBe(expected);
  });

  it('hide nothing from a pattern that is about the escapes', () => {
    expect(createRedactor({ patterns: [/\\u0022x\d+/] }).redact('is \\u0022x12 it').value).toBe('is [REDACTED] it');
  });

  it('are no quotes to ruleset 0.1, which looks at each text as it is', () => {
    const json = '{\\u0022password\\u0022:\\u0022abcd\\u0022}';
    expect(createRedactor({ ruleset: '0.1' }).redact(json)).toEqual({ value: json, findings: [] });
  });
});
