import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStepforkError } from '../errors.js';
import { sha256 } from '../hash.js';
import type { Json } from '../json.js';
import { canonicalJson } from './canonical.js';
import { canonicalJsonText } from './canonical-text.js';
import { parseJson } from './parse-json.js';

const vectors = JSON.parse(readFileSync(new URL('../../fixtures/vectors/canonical.json', import.meta.url), 'utf8')) as {
  accept: { json: string; canonical: string; canonical_hex: string; sha256: string }[];
  reject: { json: string; why: string }[];
};

describe('the vectors of the original', () => {
  it('are 66 and 6', () => {
    expect([vectors.accept.length, vectors.reject.length]).toEqual([66, 6]);
  });

  it.each(vectors.accept)('B001 B019 B020 prints and hashes $json', (vector) => {
    const text = canonicalJsonText(vector.json);
    expect(text).toBe(vector.canonical);
    expect(Buffer.from(text).toString('hex')).toBe(vector.canonical_hex);
    expect(sha256(text)).toBe(vector.sha256);
  });

  it.each(vectors.reject)('B004 B018 refuses $json: $why', (vector) => {
    expect(() => canonicalJsonText(vector.json)).toThrowError(
      expect.toSatisfy(
        (error: unknown) => isStepforkError(error, 'not_canonical') || isStepforkError(error, 'invalid_json'),
      ),
    );
  });
});

/** The profile once more, as plainly as it can be said. */
function plainly(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as Record<string, Json>);
    entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${plainly(item)}`).join(',')}}`;
  }
  if (typeof value !== 'number') return typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
  if (Object.is(value, -0)) return '-0.0';
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return `${value}`;
  const [, sign = '', first = '', rest = '', power = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const exponent = Number(power);
  const digits = first + rest;
  if (exponent < -4 || exponent >= 16) {
    const two = Math.abs(exponent) < 10 ? '0' : '';
    return `${sign}${first}${rest === '' ? '' : `.${rest}`}e${exponent < 0 ? '-' : '+'}${two}${Math.abs(exponent)}`;
  }
  const padded = exponent < 0 ? '0'.repeat(-exponent) + digits : digits.padEnd(exponent + 1, '0');
  const point = exponent < 0 ? 1 : exponent + 1;
  return `${sign}${padded.slice(0, point)}.${padded.slice(point) || '0'}`;
}

const text = fc.string({ unit: 'binary' }).filter((s) => !/\p{Surrogate}/u.test(s));
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }).filter((n) => String(Number(n)) !== String(n)),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('10', '9', '__proto__', 'constructor')), tie('value'), { maxKeys: 5 }),
  ),
})).value;

describe('canonical text', () => {
  it('equals a second implementation', () => {
    fc.assert(fc.property(json, (value) => canonicalJson(value) === plainly(value)));
  });

  it('is JSON that parses back to the same value', () => {
    fc.assert(fc.property(json, (value) => canonicalJson(parseJson(canonicalJson(value))) === canonicalJson(value)));
  });
});
