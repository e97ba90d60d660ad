import { describe, expect, it } from 'vitest';
import { outcomeOf } from './outcome.js';

const report = (facts: object) =>
  ({ report: { verdict: 'diverged', facets: {}, divergence: null, error: null, notes: [], ...facts } }) as never;
const stalled = { facets: { execution: 'stalled' } };
const refusal = { message: "call #1: tool 'a' was called with another input" };

describe('the line on a replay', () => {
  it.each([
    ['did not end', report(stalled), 'the run did not end'],
    [
      'did not end, and for what it waits',
      report({ ...stalled, notes: ['other', "the run did not end: it waits for tool 'a'"] }),
      "the run did not end: it waits for tool 'a'",
    ],
    [
      'diverged and did not end',
      report({ ...stalled, divergence: refusal }),
      `${refusal.message}; the run did not end`,
    ],
    ['threw', report({ error: { name: 'TypeError', message: 'no' } }), 'threw TypeError: no'],
    [
      'threw what refused its call',
      report({ divergence: refusal, error: { name: 'StepforkError', message: `replay: ${refusal.message}` } }),
      refusal.message,
    ],
    ['was alike', report({}), null],
    ['printed nothing', null, 'it printed no result'],
    ['could not begin', { message: 'no such file' } as never, 'no such file'],
  ])('says of one that %s', (_, document, message) => expect(outcomeOf(document).message).toBe(message));
});
