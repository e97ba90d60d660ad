import { types } from 'node:util';
import { onlyPlaces, type Place, type PlacesByCall, parseSelector, type Selector, withoutPlace } from '@stepfork/diff';
import {
  displayText,
  encodeValue,
  findUnservable,
  type Json,
  parsePointer,
  StepforkError,
} from '@stepfork/trace-format';
import type { CalledFunction } from '../plan/key.js';

/** A call that a rule may be about, and its input. */
export type Comparable = CalledFunction & { readonly input: Json };

export type { PlacesByCall };

/** What of the inputs differs from run to run and is not compared. Rules go by call: `tool:search`, `llm:*`. */
export interface VolatilityOptions {
  /**
   * JSON Pointers, from the root of a call's input, to what is not compared; `*` stands for any key or index:
   * `{ 'tool:search': ['/now', '/seen/*'] }`.
   */
  readonly ignore?: PlacesByCall | undefined;
  /** JSON Pointers to all that is compared of these calls' inputs. */
  readonly match?: PlacesByCall | undefined;
  /** What to compare in place of these calls' inputs. Given a copy of the redacted input; the answer is data. */
  readonly normalize?: Readonly<Record<string, (input: Json) => unknown>> | undefined;
}

interface Rule {
  /** As a report names it. */
  readonly pattern: string;
  readonly isAbout: Selector;
  /** The input without what is not compared, and in how many places it lost something. */
  readonly reduce: (input: Json) => { readonly value: Json; readonly count: number };
  /** Of a rule that keeps only some places: whether an input has any of them. */
  readonly keeps?: (input: Json) => boolean;
}

/**
 * Declared volatility, compiled. The one place that takes anything out of what is compared, of recorded calls and of
 * live ones.
 */
export class Volatility {
  /** In the order in which they are applied. */
  readonly #rules: readonly Rule[];

  /** @throws StepforkError `bad_option` for a rule that is none */
  constructor({ normalize = {}, match = {}, ignore = {} }: VolatilityOptions) {
    this.#rules = [
      ...entriesOf('normalize', normalize).map(([selector, change]) => normalizing(selector, change)),
      ...entriesOf('match', match).map(([selector, pointers]) => matching(selector, pointers)),
      ...entriesOf('ignore', ignore).flatMap(([selector, pointers]) =>
        placesOf('ignore', selector, pointers).map((place, index) => ignoring(selector, place, pointers[index] ?? '')),
      ),
    ];
  }

  /**
   * What of a call's input is compared.
   *
   * @param ignored told of each rule that took something out, and how much
   */
  reduce(call: Comparable, ignored?: (pattern: string, count: number) => void): Json {
    let { input } = call;
    for (const { pattern, isAbout, reduce } of this.#rules) {
      if (!isAbout(call)) continue;
      const { value, count } = reduce(input);
      input = value;
      if (count > 0) ignored?.(pattern, count);
    }
    return input;
  }

  /**
   * Refuses a `match` that leaves nothing of any of these calls' inputs: whatever they were called with would do.
   *
   * @throws StepforkError `bad_option`
   */
  check(calls: readonly Comparable[]): void {
    for (const { pattern, isAbout, keeps } of this.#rules) {
      const meant = calls.filter(isAbout);
      if (keeps === undefined || meant.length === 0 || meant.some(({ input }) => keeps(input))) continue;
      throw bad(`option match compares nothing: '${displayText(pattern)}' finds no place in any recorded input`);
    }
  }

  /** The rules that are about none of these calls. */
  idle(calls: readonly Comparable[]): readonly string[] {
    return this.#rules.filter(({ isAbout }) => !calls.some(isAbout)).map(({ pattern }) => pattern);
  }
}

function normalizing(selector: string, change: (input: Json) => unknown): Rule {
  if (typeof change !== 'function') throw bad(`option normalize needs a function for '${displayText(selector)}'`);
  return {
    pattern: `${selector} (normalized)`,
    isAbout: selectorOf('normalize', selector),
    reduce: (input) => ({ value: asData(selector, called(selector, change, input)), count: 1 }),
  };
}

function called(selector: string, change: (input: Json) => unknown, input: Json): unknown {
  try {
    return change(structuredClone(input));
  } catch (thrown) {
    const what = displayText(String(isErrorLike(thrown) ? thrown.message : thrown));
    throw bad(`option normalize threw for '${displayText(selector)}': ${what}. Have it answer for every input`);
  }
}

function isErrorLike(value: unknown): value is { readonly message: unknown } {
  return typeof value === 'object' && value !== null && 'message' in value;
}

/** What cannot be told from other values of its kind would make all inputs alike. */
function asData(selector: string, value: unknown): Json {
  const { json, placeholders } = encodeValue(value);
  const [lost] = placeholders;
  const isNothing = value === undefined || types.isPromise(value);
  if (lost === undefined && !isNothing && findUnservable(json) === null) return json;
  const what = isNothing ? (value === undefined ? 'nothing' : 'a promise') : 'what is no data';
  throw bad(`option normalize must answer with data at once for '${displayText(selector)}', not with ${what}`);
}

function matching(selector: string, pointers: readonly string[]): Rule {
  const places = placesOf('match', selector, pointers);
  return {
    pattern: `${selector} (only ${pointers.join(', ')})`,
    isAbout: selectorOf('match', selector),
    reduce: (input) => ({ value: onlyPlaces(input, places), count: 1 }),
    keeps: (input) => places.some((place) => withoutPlace(input, place).count > 0),
  };
}

function ignoring(selector: string, place: Place, pointer: string): Rule {
  return {
    pattern: `${selector} ${pointer === '' ? '(the whole input)' : pointer}`,
    isAbout: selectorOf('ignore', selector),
    reduce: (input) => withoutPlace(input, place),
  };
}

function selectorOf(option: string, text: string): Selector {
  const selector = parseSelector(text);
  if (selector !== null) return selector;
  const examples = "'tool:search', 'llm:openai/gpt-4o' or 'llm:*'";
  throw bad(`option ${option} names '${displayText(text)}'; a call is named like ${examples}`);
}

function placesOf(option: string, selector: string, pointers: unknown): readonly Place[] {
  const places = Array.isArray(pointers) ? pointers.map((each) => parsePointer(String(each))) : [null];
  if (places.every((place) => place !== null)) return places;
  throw bad(`option ${option} needs a list of JSON Pointers (['/messages/0/id']) for '${displayText(selector)}'`);
}

function entriesOf<T>(option: string, given: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given);
  throw bad(`option ${option} must be an object like { 'tool:search': … }`);
}

function bad(message: string): StepforkError {
  return new StepforkError('bad_option', message);
}
