import type { Json } from '@stepfork/trace-format';
import type { ExpectedError, RegressionCase } from '../case.js';
import { isUndefined } from '../comparable.js';
import { expectedEnd } from '../expected-end.js';
import { stringLiteral } from '../source/string-literal.js';

/** One test of a replay: what it is called, and what it asks. */
export interface Judgement {
  readonly title: string;
  readonly matcher: string;
  /** What the matcher is given: source text, or data that stands elsewhere. */
  readonly args: readonly string[] | Data;
}

/** Data that a test has in a constant or, where it is long, in a file beside it. */
export interface Data {
  readonly constant: 'expected' | 'recorded' | 'trajectory';
  readonly value: Json;
}

/** All that a test of this case asks of its replay, a test each. */
export function judgementsOf(regression: RegressionCase): readonly Judgement[] {
  const { trajectory } = regression;
  return [
    { title: 'makes the recorded calls', matcher: 'toHaveReplayed', args: [] },
    ...endOf(regression),
    ...(trajectory === undefined
      ? []
      : [
          {
            title: 'takes the expected steps',
            matcher: 'toHaveTrajectory',
            args: { constant: 'trajectory' as const, value: trajectory },
          },
        ]),
  ];
}

function endOf(regression: RegressionCase): readonly Judgement[] {
  const end = expectedEnd(regression);
  switch (end.kind) {
    case 'output':
      return [returns('returns the corrected output', 'toHaveOutput', 'expected', end.value)];
    case 'match':
      return [returns('returns the corrected output', 'toMatchOutput', 'expected', end.value)];
    case 'error':
      return [throws('throws the expected error', end.error)];
    case 'recorded-output':
      return [returns('returns the recorded output', 'toHaveOutput', 'recorded', end.value)];
    case 'recorded-error':
      return [throws('fails as it was recorded', end.error)];
    case 'any':
      return [];
  }
}

function returns(title: string, matcher: string, constant: Data['constant'], value: Json): Judgement {
  return { title, matcher, args: isUndefined(value) ? ['undefined'] : { constant, value } };
}

function throws(title: string, { type, message }: ExpectedError): Judgement {
  return {
    title,
    matcher: 'toHaveThrown',
    args: [type, ...(message === undefined ? [] : [message])].map(stringLiteral),
  };
}

/** Whether they are data and not source text. */
export function isData(args: Judgement['args']): args is Data {
  return 'constant' in args;
}
