import { displayText, StepforkError } from '@stepfork/trace-format';

/** What is expected, checked before anything is judged by it. `where` is how a message names the value. */

export function nameAt(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw unfit(where, "a tool's name", value);
}

export function numberAt(value: unknown, where: string, least: 0 | 1): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
  throw unfit(where, `a whole number of ${least} or more`, value);
}

export function booleanAt(value: unknown, where: string): boolean {
  if (typeof value === 'boolean') return value;
  throw unfit(where, 'true or false', value);
}

export function listAt(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return Array.from(value as readonly unknown[]);
  throw unfit(where, 'a list', value);
}

export function namesAt(value: unknown, where: string): readonly string[] {
  return listAt(value, where).map((name, index) => nameAt(name, `${where}[${index}]`));
}

/** A list of names for a sequence: an empty one would say nothing, or that no tool may be called. */
export function sequenceAt(value: unknown, where: string): readonly string[] {
  const names = namesAt(value, where);
  if (names.length > 0) return names;
  throw badExpectation(`${where} is empty; name the tools, or say by a count of 0 which must not be called`);
}

/** An object's own entries, whatever their names. */
export function entriesAt(value: unknown, where: string): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(where, 'an object', value);
  return Object.entries(value);
}

/** The own entries of an object that must have no other keys than the known ones. */
export function fieldsAt(value: unknown, where: string, known: readonly string[]): ReadonlyMap<string, unknown> {
  const entries = entriesAt(value, where);
  for (const [key] of entries) {
    if (known.includes(key)) continue;
    throw badExpectation(`${where} may only have the keys ${known.join(', ')}, not '${displayText(key)}'`);
  }
  return new Map(entries);
}

export function badExpectation(message: string): StepforkError {
  return new StepforkError('bad_expectation', message);
}

function unfit(where: string, wanted: string, value: unknown): StepforkError {
  return badExpectation(`${displayText(where)} must be ${wanted}, not ${described(value)}`);
}

const LONGEST_TEXT = 40;

function described(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `'${displayText(value.slice(0, LONGEST_TEXT))}'`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return typeof value;
}
