import { isStepforkError } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import {
  assertMaxSteps,
  assertToolCallCount,
  assertToolCalled,
  assertToolNotCalled,
  assertToolOrder,
  assertToolSequence,
  type ReplayReport,
  trajectoryOf,
} from '../../src/index.js';
import { failureOf, llm, reportOf, thrownBy, tool } from './reports.js';

/** search, a model, book (failed), search again. */
const REPORT = reportOf([
  tool('search', { city: 'Paris' }),
  llm('small-1'),
  tool('book', { flight: 7 }, 'error'),
  tool('search', { city: 'Rome' }),
]);

const TRAJECTORY = [
  'the replayed run made 4 calls:',
  `  #1 tool 'search' {"city":"Paris"}: ok`,
  `  #2 LLM 'acme/small-1': ok`,
  `  #3 tool 'book' {"flight":7}: error`,
  `  #4 tool 'search' {"city":"Rome"}: ok`,
];

type Assertion = (report: ReplayReport) => void;

const HOLD: readonly (readonly [string, Assertion])[] = [
  ['a call', (report) => assertToolCalled(report, 'search')],
  ['B241 a failed call', (report) => assertToolCalled(report, 'book')],
  ['no call', (report) => assertToolNotCalled(report, 'refund')],
  ['B241 no call of a tool where a model has its name', (report) => assertToolNotCalled(report, 'small-1')],
  ['a number of calls', (report) => assertToolCallCount(report, 'search', 2)],
  ['no number of calls', (report) => assertToolCallCount(report, 'refund', 0)],
  ['B243 an order', (report) => assertToolOrder(report, 'search', 'book')],
  ['B243 the other order, of the second call', (report) => assertToolOrder(report, 'book', 'search')],
  ['B243 two calls of one tool', (report) => assertToolOrder(report, 'search', 'search')],
  ['B244 an exact sequence', (report) => assertToolSequence(report, ['search', 'book', 'search'])],
  ['B244 a sequence among others', (report) => assertToolSequence(report, ['book', 'search'], { strict: false })],
  ['B241 as many steps as there are tools and models', (report) => assertMaxSteps(report, 4)],
];

const FAIL: readonly (readonly [string, Assertion, string])[] = [
  ['a call', (report) => assertToolCalled(report, 'refund'), "expected tool 'refund' to be called, but it was not"],
  [
    'B241 a call of a tool where only a model has its name',
    (report) => assertToolCalled(report, 'small-1'),
    "expected tool 'small-1' to be called, but it was not",
  ],
  [
    'no call',
    (report) => assertToolNotCalled(report, 'search'),
    "expected tool 'search' not to be called, but it was called 2 times: calls #1, #4",
  ],
  [
    'B241 no call where one failed',
    (report) => assertToolNotCalled(report, 'book'),
    "expected tool 'book' not to be called, but it was called once: call #3",
  ],
  [
    'more calls',
    (report) => assertToolCallCount(report, 'book', 2),
    "expected tool 'book' to be called 2 times, but it was called once: call #3",
  ],
  [
    'fewer calls',
    (report) => assertToolCallCount(report, 'search', 1),
    "expected tool 'search' to be called once, but it was called 2 times: calls #1, #4",
  ],
  [
    'calls of a tool that was not called',
    (report) => assertToolCallCount(report, 'refund', 3),
    "expected tool 'refund' to be called 3 times, but it was not called",
  ],
  [
    'B243 an order whose first is missing',
    (report) => assertToolOrder(report, 'refund', 'book'),
    "expected tool 'refund' to be called before tool 'book', but 'refund' was not called",
  ],
  [
    'B243 an order whose second is missing',
    (report) => assertToolOrder(report, 'book', 'refund'),
    "expected tool 'book' to be called before tool 'refund', but 'refund' was not called",
  ],
  [
    'B243 two calls where there is one',
    (report) => assertToolOrder(report, 'book', 'book'),
    "expected tool 'book' to be called at least 2 times, but it was called once: call #3",
  ],
  [
    'B243 two calls where there is none',
    (report) => assertToolOrder(report, 'refund', 'refund'),
    "expected tool 'refund' to be called at least 2 times, but 'refund' was not called",
  ],
  [
    'B244 an exact sequence with another tool in it',
    (report) => assertToolSequence(report, ['search', 'refund', 'search']),
    "expected exactly the tool calls 'search', 'refund', 'search', but tool call 2, of 'refund', is call #3 of 'book'",
  ],
  [
    'B244 an exact sequence that goes on',
    (report) => assertToolSequence(report, ['search', 'book', 'search', 'refund']),
    "expected exactly the tool calls 'search', 'book', 'search', 'refund', but tool call 4, of 'refund', never came",
  ],
  [
    'B244 an exact sequence that ends before',
    (report) => assertToolSequence(report, ['search', 'book'], { strict: true }),
    "expected exactly the tool calls 'search', 'book', but after them came call #4 of 'search'",
  ],
  [
    'B244 a sequence among others that begins with a tool that was not called',
    (report) => assertToolSequence(report, ['refund', 'book'], { strict: false }),
    "expected the tools 'refund', 'book' to be called in this order, but 'refund' was not called",
  ],
  [
    'B244 a sequence among others in another order',
    (report) => assertToolSequence(report, ['book', 'search', 'book'], { strict: false }),
    "expected the tools 'book', 'search', 'book' to be called in this order, but no call of 'book' came after call #4 of 'search'",
  ],
  [
    'B241 fewer steps than there are tools and models',
    (report) => assertMaxSteps(report, 3),
    'expected at most 3 calls of tools and models, but the run made 4',
  ],
  [
    'one step',
    (report) => assertMaxSteps(report, 1),
    'expected at most 1 call of tools and models, but the run made 4',
  ],
];

describe('what is expected of a trajectory', () => {
  it.each(HOLD)('holds: %s', (_what, assertion) => {
    expect(failureOf(() => assertion(REPORT))).toBeNull();
  });

  it.each(FAIL)('fails, showing the calls: %s', (_what, assertion, message) => {
    expect(failureOf(() => assertion(REPORT))).toBe([message, ...TRAJECTORY].join('\n'));
  });

  it('fails by an order whose first comes only after the last of the second', () => {
    const report = reportOf([tool('b'), tool('b'), tool('a')]);
    expect(failureOf(() => assertToolOrder(report, 'a', 'b'))).toContain(
      "expected tool 'a' to be called before tool 'b', but its first call, #3, came after the last of 'b', #2\n",
    );
  });
});

describe('a failure', () => {
  it('is a StepforkError with a code, and names what failed', () => {
    const error = thrownBy(() => assertToolCalled(REPORT, 'refund'));
    expect(isStepforkError(error, 'assertion_failed')).toBe(true);
    expect(error).toMatchObject({ details: { failed: ['called'] } });
  });

  it('points at the line that asserted', () => {
    const error = thrownBy(() => assertToolSequence(REPORT, ['refund'])) as Error;
    expect(error.stack?.split('\n').find((line) => line.startsWith('    at '))).toContain('assertions.test.ts');
  });

  it('says so where the run made no calls', () => {
    expect(failureOf(() => assertToolCalled(reportOf([]), 'search'))).toBe(
      "expected tool 'search' to be called, but it was not\nthe replayed run made no calls",
    );
  });

  it('leaves the middle of a long trajectory out, and says how much of it', () => {
    const report = reportOf(Array.from({ length: 120 }, (_, index) => tool('poll', { index })));
    const lines = failureOf(() => assertMaxSteps(report, 100))?.split('\n') ?? [];
    expect(lines).toHaveLength(23);
    expect(lines[1]).toBe('the replayed run made 120 calls:');
    expect(lines[2]).toBe(`  #1   tool 'poll' {"index":0}: ok`);
    expect(lines.slice(11, 14)).toEqual([
      `  #10  tool 'poll' {"index":9}: ok`,
      '  … 100 more …',
      `  #111 tool 'poll' {"index":110}: ok`,
    ]);
    expect(failureOf(() => assertToolNotCalled(report, 'poll'))).toContain(
      'called 120 times: calls #1, #2, #3, #4, #5, … 110 more …, #116, #117, #118, #119, #120\n',
    );
  });

  it('shows nothing of a trace unescaped', () => {
    const report = reportOf([tool('a\u001b[2J\u202e', { '\u001b]0;x\u0007': 1 })]);
    const message = failureOf(() => assertToolCalled(report, 'b\u001b[2J')) ?? '';
    expect(message).toContain("tool 'b\\u001b[2J'");
    expect(message).toContain("tool 'a\\u001b[2J\\u202e'");
    expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe('B240 a replay that cannot be judged', () => {
  const hopeless = Object.entries({
    assertToolCalled: (report) => assertToolCalled(report, 'search'),
    assertToolNotCalled: (report) => assertToolNotCalled(report, 'refund'),
    assertToolCallCount: (report) => assertToolCallCount(report, 'search', 2),
    assertToolOrder: (report) => assertToolOrder(report, 'search', 'book'),
    assertToolSequence: (report) => assertToolSequence(report, ['search', 'book', 'search']),
    assertMaxSteps: (report) => assertMaxSteps(report, 9),
  } satisfies Record<string, Assertion>);

  it.each(hopeless)('fails %s where it diverged, even though the agent swallowed that', (_name, assertion) => {
    const { calls } = REPORT;
    const last = { ...tool('search', { city: 'Oslo' }, 'error'), action: 'refused' as const, index: null };
    const report = reportOf([...calls.slice(0, 3), last], {
      verdict: 'diverged',
      facets: { execution: 'completed', dependencies: 'diverged', output: 'matched' },
      divergence: {
        code: 'input_changed',
        position: 4,
        kind: 'tool',
        name: 'search',
        recorded: null,
        actual: last,
        differences: [],
        callSite: 'agent.ts:12:9',
        message: "call #4: tool 'search' was called with another input",
      },
    });
    expect(failureOf(() => assertion(report))).toBe(
      [
        "trajectory not judged, the replay diverged: call #4: tool 'search' was called with another input (input_changed)",
        '  at agent.ts:12:9',
        ...TRAJECTORY.slice(0, 4),
        `  #4 tool 'search' {"city":"Oslo"}: refused`,
      ].join('\n'),
    );
  });

  it.each(hopeless)('fails %s where it did not end', (_name, assertion) => {
    const report = reportOf(REPORT.calls, {
      verdict: 'diverged',
      facets: { execution: 'stalled', dependencies: 'matched', output: 'changed' },
      notes: ['the run did not end: it waits for something outside the recording'],
    });
    expect(failureOf(() => assertion(report))).toBe(
      [
        'trajectory not judged, the replay is incomplete: the run did not come to its end',
        '  the run did not end: it waits for something outside the recording',
        ...TRAJECTORY,
      ].join('\n'),
    );
  });

  it.each([
    ['promise of one', Promise.resolve(REPORT)],
    ['trace', { events: [] }],
    ['undefined', undefined],
  ])('has to be a report, and no %s', (_what, value) => {
    expect(thrownBy(() => assertToolCalled(value as unknown as ReplayReport, 'search'))).toMatchObject({
      code: 'not_a_report',
      message: 'assertToolCalled() judges what replay() resolved to: await it, and pass its result',
    });
  });
});

describe('trajectoryOf', () => {
  it('gives the calls as plain data', () => {
    const refused = { ...tool('refund', {}, 'error'), action: 'refused' as const };
    expect(trajectoryOf(reportOf([tool('search', { city: 'Paris' }), llm('small-1', 'pending'), refused]))).toEqual([
      { kind: 'tool', name: 'search', input: { city: 'Paris' }, status: 'ok' },
      { kind: 'llm', name: 'small-1', input: { prompt: 'hello' }, status: 'pending' },
      { kind: 'tool', name: 'refund', input: {}, status: 'refused' },
    ]);
  });
});
