import type { Json } from '@stepfork/trace-format';
import fc from 'fast-check';

/** Pieces that mean something to a parser, a terminal, a test runner or a reviewer. */
export const HOSTILE_PIECES = [
  "'",
  '"',
  '`',
  '\\',
  '$' + '{process.exit(9)}',
  '*/',
  '/*',
  '//',
  '\n',
  '\r\n',
  '\u2028',
  '\u2029',
  '\0',
  '\u001b[2J',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\udc00',
  '</script><script>',
  '<!--',
  '-->',
  '@ts-nocheck',
  '@ts-ignore',
  '@vitest-environment jsdom',
  '@jest-environment ./evil',
  '// @module-tag evil',
  '/// <reference path="evil" />',
  '//# sourceMappingURL=evil.map',
  '#!/bin/sh',
  'eslint-disable',
  "');process.exit(9);('",
  '__proto__',
  'constructor',
  '$stepfork',
  '🦊',
  ' ',
  'a',
  'B9',
  '../',
  'é',
  '\u{e0041}',
];

/** Any string of UTF-16 units, and mixtures of the pieces above. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...HOSTILE_PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.string(),
);

const scalar: fc.Arbitrary<Json> = fc.oneof(
  anyText,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 2 ** 64),
  fc.bigInt(),
);

/** Any JSON value as the format holds it, big integers, lone surrogates and a key `__proto__` included. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(anyText, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Runs of a property: few in the quick suite, the number an issue asks for in the full one. */
export const runs = (full: number): number => (process.env.STEPFORK_FULL === '1' ? full : Math.ceil(full / 10));
