import { expect, test } from 'vitest';
import { hasLossyNumber } from './lossy-number.js';

test.each([
  ['{"id":12345678901234567890}', true],
  ['[9007199254740993]', true],
  ['{"price":1e400}', true],
  ['[-1E+999]', true],
  ['[0.1234567890123456789]', true],
  ['{"id":9007199254740991,"price":1.0,"rate":1.5e3}', false],
  ['[0.1000000000000000]', false],
  ['[1e308, 12345678901234567000]', false],
  ['[0.30000000000000004]', false],
  ['{"id":"12345678901234567890","text":"1e400 \\" 9007199254740993"}', false],
  ['{}', false],
])('%s', (json, isLossy) => expect(hasLossyNumber(json)).toBe(isLossy));
