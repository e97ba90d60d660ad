import type { Json } from '@stepfork/trace-format';
import { numberSource, type Syntax, write } from './layout.js';

/** Characters that a reviewer does not see, or sees elsewhere. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?! )\p{Zs}/gu;

const JSON_SYNTAX: Syntax = {
  string: jsonString,
  number: (value) => (Object.is(value, -0) ? '-0.0' : numberSource(value)),
  bigint: String,
  key: jsonString,
  lastComma: '',
  opensObjects: true,
  movesStrings: false,
  opensTables: false,
};

/**
 * The text of a JSON file that `parseJson` reads as exactly `value`, laid out as a formatter would.
 *
 * @throws StepforkError `not_a_literal` for what is not JSON
 */
export function jsonSource(value: Json): string {
  return `${write(value, { indent: 0, column: 0 }, JSON_SYNTAX).text}\n`;
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, unit) => escapedUnit(character.charCodeAt(unit))).join(''),
  );
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
