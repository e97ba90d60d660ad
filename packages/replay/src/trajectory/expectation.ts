import type { RedactOptions } from '@stepfork/redact';
import type { Check } from './check.js';
import { calledWith } from './checks/arguments.js';
import { called, calledTimes, notCalled, stepsAtMost } from './checks/numbers.js';
import { amongOthers, exactly, inOrder } from './checks/order.js';
import {
  badExpectation,
  booleanAt,
  entriesAt,
  fieldsAt,
  listAt,
  nameAt,
  namesAt,
  numberAt,
  sequenceAt,
} from './demand.js';
import { expectedInput } from './expected-input.js';

/** The arguments of one call of a tool. */
export interface ExpectedArguments {
  readonly name: string;
  /** The call's input, as `stepfork inspect` shows it, or the values themselves. */
  readonly value: unknown;
  /** 1-based number of the call among the tool's own; without it, any of them. */
  readonly occurrence?: number | null | undefined;
}

/** What is expected of a replayed run's calls, as a JSON file may state it: the form of the Python original. */
export interface TrajectoryExpectation {
  readonly called?: readonly string[] | undefined;
  readonly not_called?: readonly string[] | undefined;
  /** How often each of these tools is called. */
  readonly counts?: { readonly [name: string]: number } | undefined;
  readonly arguments?: readonly ExpectedArguments[] | undefined;
  /** Pairs: some call of the first with one of the second after it. */
  readonly order?: readonly (readonly string[])[] | undefined;
  readonly sequence?: readonly string[] | undefined;
  /** Whether the sequence's tools are all that are called. Default true. */
  readonly strict_sequence?: boolean | undefined;
  /** The most calls, of tools and of models. */
  readonly max_steps?: number | null | undefined;
}

const KEYS = ['called', 'not_called', 'counts', 'arguments', 'order', 'sequence', 'strict_sequence', 'max_steps'];

/**
 * The checks that an expectation asks for, in the order of the keys above. All of it is looked at before the first of
 * them is made.
 *
 * @throws StepforkError `bad_expectation`, naming the place; `bad_redaction_rule`
 */
export function parseExpectation(expectation: unknown, redact: RedactOptions | undefined): readonly Check[] {
  const fields = fieldsAt(expectation, 'the expectation', KEYS);
  const from = (key: string, parse: (value: unknown, where: string) => readonly Check[]): readonly Check[] => {
    const value = fields.get(key);
    return value === undefined || (key === 'max_steps' && value === null) ? [] : parse(value, key);
  };
  return [
    ...from('called', (value, where) => namesAt(value, where).map(called)),
    ...from('not_called', (value, where) => namesAt(value, where).map(notCalled)),
    ...from('counts', countChecks),
    ...from('arguments', (value, where) =>
      listAt(value, where).map((item, index) => argumentsCheck(item, `${where}[${index}]`, redact)),
    ),
    ...from('order', (value, where) =>
      listAt(value, where).map((pair, index) => orderCheck(pair, `${where}[${index}]`)),
    ),
    ...sequenceChecks(fields.get('sequence'), fields.get('strict_sequence')),
    ...from('max_steps', (value, where) => [stepsAtMost(numberAt(value, where, 0))]),
  ];
}

function countChecks(value: unknown, where: string): readonly Check[] {
  return entriesAt(value, where).map(([name, count]) => {
    const tool = nameAt(name, `a key of ${where}`);
    return calledTimes(tool, numberAt(count, `${where}[${JSON.stringify(name)}]`, 0));
  });
}

function argumentsCheck(item: unknown, where: string, redact: RedactOptions | undefined): Check {
  const fields = fieldsAt(item, where, ['name', 'value', 'occurrence']);
  const name = nameAt(fields.get('name'), `${where}.name`);
  if (!fields.has('value')) throw badExpectation(`${where} has no value; it is the input that the call should have`);
  const occurrence = fields.get('occurrence') ?? null;
  return calledWith(
    name,
    expectedInput(name, fields.get('value'), redact),
    occurrence === null ? null : numberAt(occurrence, `${where}.occurrence`, 1),
  );
}

function orderCheck(value: unknown, where: string): Check {
  const pair = namesAt(value, where);
  const [first, second] = pair;
  if (first === undefined || second === undefined || pair.length > 2) {
    throw badExpectation(`${where} must be a pair of tools' names, not ${pair.length} of them`);
  }
  return inOrder(first, second);
}

function sequenceChecks(sequence: unknown, strict: unknown): readonly Check[] {
  const isStrict = strict === undefined ? true : booleanAt(strict, 'strict_sequence');
  if (sequence !== undefined) {
    const names = sequenceAt(sequence, 'sequence');
    return [isStrict ? exactly(names) : amongOthers(names)];
  }
  if (strict === undefined) return [];
  throw badExpectation('strict_sequence says how a sequence is meant, but there is no sequence');
}
