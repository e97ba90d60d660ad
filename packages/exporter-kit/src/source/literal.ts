import type { Json } from '@stepfork/trace-format';
import { assign, numberSource, type Syntax, write } from './layout.js';
import { stringLiteral } from './string-literal.js';

const JAVASCRIPT: Syntax = {
  string: stringLiteral,
  number: (value) => (Object.is(value, -0) ? '-0' : numberSource(value)),
  bigint: (value) => `${value}n`,
  key: propertyKey,
  lastComma: ',',
  opensObjects: false,
  movesStrings: true,
  opensTables: true,
};

/**
 * Source text that evaluates to exactly `value` and runs nothing, laid out as a formatter would.
 *
 * @param indent spaces before the line on which the literal starts
 * @param column where on that line it starts
 * @throws StepforkError `not_a_literal` for what is not JSON (NaN, undefined, a class instance) or is nested deeper
 * than 1,000 levels; the message names the path.
 */
export function literal(value: Json, indent = 0, column = indent): string {
  return write(value, { indent, column }, JAVASCRIPT).text;
}

/**
 * `left` and a literal after it, for a line that starts with `left`: `const expected = {…}`, `trace: '…'`. A string too
 * long for that line goes to the next one, as formatters have it.
 *
 * @param left with its `=` or `:`
 * @throws StepforkError `not_a_literal`, as `literal` does
 */
export function assigned(left: string, value: Json, indent = 0): string {
  return assign(left, value, indent, JAVASCRIPT).text;
}

/** `__proto__: x` in a literal sets the prototype; only a computed key makes it a property. */
function propertyKey(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}
