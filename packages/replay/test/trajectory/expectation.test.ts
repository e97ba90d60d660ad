import type { Json } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import {
  assertMaxSteps,
  assertToolArguments,
  assertToolCallCount,
  assertToolCalled,
  assertToolOrder,
  assertToolSequence,
  assertTrajectory,
  type ReplayReport,
  type TrajectoryExpectation,
} from '../../src/index.js';
import { failureOf, llm, reportOf, thrownBy, tool } from './reports.js';

const REPORT = reportOf([
  tool('search_flights', { city: 'Paris' }),
  llm('small-1'),
  tool('book_flight', { flight: 7 }),
]);

/** An expectation as a JSON file may hold it. */
function read(json: string): TrajectoryExpectation {
  return JSON.parse(json) as TrajectoryExpectation;
}

/** Fails for everything, so that only what comes before it can be seen. */
const NO_REPORT = {} as ReplayReport;

describe('an expectation', () => {
  it('holds in all of its parts, in the form of the Python original', () => {
    const expectation = read(`{
      "called": ["search_flights"],
      "not_called": ["charge_card"],
      "counts": {"search_flights": 1, "charge_card": 0},
      "arguments": [
        {"name": "search_flights", "value": {"city": "Paris"}, "occurrence": 1},
        {"name": "book_flight", "value": {"flight": 7}}
      ],
      "order": [["search_flights", "book_flight"]],
      "sequence": ["search_flights", "book_flight"],
      "strict_sequence": true,
      "max_steps": 3
    }`);
    expect(failureOf(() => assertTrajectory(REPORT, expectation))).toBeNull();
  });

  it('fails with all that is otherwise, below it the calls once', () => {
    const expectation = read(`{
      "called": ["charge_card", "search_flights"],
      "arguments": [{"name": "search_flights", "value": {"city": "Rome"}}],
      "sequence": ["search_flights"],
      "max_steps": 2
    }`);
    expect(failureOf(() => assertTrajectory(REPORT, expectation))).toBe(
      [
        '4 expectations failed:',
        "- expected tool 'charge_card' to be called, but it was not",
        `- expected tool 'search_flights' to have the arguments {"city":"Rome"}, but call #1 has others:`,
        '    city: expected "Rome", got "Paris"',
        "- expected exactly the tool calls 'search_flights', but after them came call #3 of 'book_flight'",
        '- expected at most 2 calls of tools and models, but the run made 3',
        'the replayed run made 3 calls:',
        `  #1 tool 'search_flights' {"city":"Paris"}: ok`,
        "  #2 LLM 'acme/small-1': ok",
        `  #3 tool 'book_flight' {"flight":7}: ok`,
      ].join('\n'),
    );
    expect(thrownBy(() => assertTrajectory(REPORT, expectation))).toMatchObject({
      code: 'assertion_failed',
      details: { failed: ['called', 'arguments', 'sequence', 'max_steps'] },
    });
  });

  it.each([
    ['{}'],
    ['{"called": [], "not_called": [], "counts": {}, "arguments": [], "order": []}'],
    ['{"sequence": ["book_flight"], "strict_sequence": false}'],
    ['{"arguments": [{"name": "book_flight", "value": {"flight": 7}, "occurrence": null}]}'],
  ])('holds: %s', (json) => {
    expect(failureOf(() => assertTrajectory(REPORT, read(json)))).toBeNull();
  });

  it('B246 has no most of steps where that is null', () => {
    expect(failureOf(() => assertTrajectory(REPORT, { max_steps: null }))).toBeNull();
  });

  it('may leave keys undefined', () => {
    const expectation = {
      called: ['search_flights'],
      counts: undefined,
      sequence: undefined,
      strict_sequence: undefined,
    };
    expect(failureOf(() => assertTrajectory(REPORT, expectation))).toBeNull();
  });

  it('is strict about its sequence unless it says otherwise', () => {
    expect(failureOf(() => assertTrajectory(REPORT, { sequence: ['book_flight'] }))).toContain('expected exactly');
  });

  it.each<[string, string]>([
    ['[]', 'the expectation must be an object, not a list'],
    ['null', 'the expectation must be an object, not null'],
    ['"called"', "the expectation must be an object, not 'called'"],
    [
      '{"calls": []}',
      "the expectation may only have the keys called, not_called, counts, arguments, order, sequence, strict_sequence, max_steps, not 'calls'",
    ],
    [
      '{"__proto__": {"called": []}}',
      "the expectation may only have the keys called, not_called, counts, arguments, order, sequence, strict_sequence, max_steps, not '__proto__'",
    ],
    ['{"called": "search"}', "called must be a list, not 'search'"],
    ['{"called": null}', 'called must be a list, not null'],
    ['{"called": [1]}', "called[0] must be a tool's name, not 1"],
    ['{"not_called": ["a", ""]}', "not_called[1] must be a tool's name, not ''"],
    ['{"counts": []}', 'counts must be an object, not a list'],
    ['{"counts": {"": 1}}', "a key of counts must be a tool's name, not ''"],
    ['{"counts": {"a": -1}}', 'counts["a"] must be a whole number of 0 or more, not -1'],
    ['{"counts": {"a": true}}', 'counts["a"] must be a whole number of 0 or more, not true'],
    ['{"counts": {"a": 1.5}}', 'counts["a"] must be a whole number of 0 or more, not 1.5'],
    ['{"counts": {"__proto__": "1"}}', `counts["__proto__"] must be a whole number of 0 or more, not '1'`],
    ['{"arguments": {}}', 'arguments must be a list, not object'],
    ['{"arguments": [[]]}', 'arguments[0] must be an object, not a list'],
    ['{"arguments": [{"value": 1}]}', "arguments[0].name must be a tool's name, not undefined"],
    ['{"arguments": [{"name": "a"}]}', 'arguments[0] has no value; it is the input that the call should have'],
    [
      '{"arguments": [{"name": "a", "value": 1, "occurence": 1}]}',
      "arguments[0] may only have the keys name, value, occurrence, not 'occurence'",
    ],
    [
      '{"arguments": [{"name": "a", "value": 1, "occurrence": 0}]}',
      'arguments[0].occurrence must be a whole number of 1 or more, not 0',
    ],
    [
      '{"arguments": [{"name": "a", "value": 1, "occurrence": true}]}',
      'arguments[0].occurrence must be a whole number of 1 or more, not true',
    ],
    ['{"order": ["a", "b"]}', "order[0] must be a list, not 'a'"],
    ['{"order": [["a"]]}', "order[0] must be a pair of tools' names, not 1 of them"],
    ['{"order": [["a", "b", "c"]]}', "order[0] must be a pair of tools' names, not 3 of them"],
    ['{"sequence": {}}', 'sequence must be a list, not object'],
    ['{"sequence": ["a"], "strict_sequence": 1}', 'strict_sequence must be true or false, not 1'],
    ['{"max_steps": -1}', 'max_steps must be a whole number of 0 or more, not -1'],
    ['{"max_steps": false}', 'max_steps must be a whole number of 0 or more, not false'],
    ['{"called": ["search_flights"], "max_steps": "4"}', "max_steps must be a whole number of 0 or more, not '4'"],
  ])('B245 is refused before anything is asserted: %s', (json, message) => {
    const error = thrownBy(() => assertTrajectory(NO_REPORT, read(json)));
    expect(error).toMatchObject({ code: 'bad_expectation', message });
  });

  it.each<[string, string]>([
    ['{"sequence": []}', 'sequence is empty; name the tools, or say by a count of 0 which must not be called'],
    ['{"strict_sequence": false}', 'strict_sequence says how a sequence is meant, but there is no sequence'],
    ['{"sequence": null, "strict_sequence": true}', 'sequence must be a list, not null'],
  ])('B246 is refused before anything is asserted: %s', (json, message) => {
    const error = thrownBy(() => assertTrajectory(NO_REPORT, read(json)));
    expect(error).toMatchObject({ code: 'bad_expectation', message });
  });

  it('B245 is looked at whole, although its first part would fail', () => {
    const error = thrownBy(() => assertTrajectory(REPORT, read('{"called": ["none"], "max_steps": -1}')));
    expect(error).toMatchObject({ code: 'bad_expectation' });
  });

  it("takes a prototype's key for the name of a tool like any other", () => {
    const report = reportOf([tool('__proto__', JSON.parse('{"__proto__": 1}') as Json), tool('constructor')]);
    const expectation = read(`{
      "called": ["__proto__", "constructor"],
      "not_called": ["toString"],
      "counts": {"__proto__": 1, "hasOwnProperty": 0},
      "arguments": [{"name": "__proto__", "value": {"__proto__": 1}}]
    }`);
    expect(failureOf(() => assertTrajectory(report, expectation))).toBeNull();
    expect(failureOf(() => assertTrajectory(report, read('{"counts": {"__proto__": 2}}')))).toContain(
      "expected tool '__proto__' to be called 2 times, but it was called once: call #1",
    );
  });

  it('has no keys but its own', () => {
    const inherited = Object.create({ called: ['none'], sequence: [] }) as TrajectoryExpectation;
    expect(failureOf(() => assertTrajectory(REPORT, inherited))).toBeNull();
  });

  it.each(['{"counts": {"a\\u001b[2J\\u202e": -1}}', '{"a\\u001b[2J\\u202e": 1}', '{"called": "a\\u001b[2J\\u202e"}'])(
    'shows nothing unescaped in a refusal: %s',
    (json) => {
      const message = failureOf(() => assertTrajectory(REPORT, read(json)));
      expect(message).toContain('\\u202e');
      expect(message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    },
  );
});

describe('what a single assertion is given', () => {
  /** As JavaScript callers may give it. */
  const loose = <T>(value: unknown): T => value as T;

  it.each<[string, () => void, string]>([
    ['no name', () => assertToolCalled(NO_REPORT, ''), "name must be a tool's name, not ''"],
    [
      'a negative count',
      () => assertToolCallCount(NO_REPORT, 'a', -1),
      'count must be a whole number of 0 or more, not -1',
    ],
    [
      'a boolean count',
      () => assertToolCallCount(NO_REPORT, 'a', loose(true)),
      'count must be a whole number of 0 or more, not true',
    ],
    ['NaN steps', () => assertMaxSteps(NO_REPORT, Number.NaN), 'most must be a whole number of 0 or more, not NaN'],
    [
      'no second tool',
      () => assertToolOrder(NO_REPORT, 'a', loose(undefined)),
      "second must be a tool's name, not undefined",
    ],
    [
      'occurrence 0',
      () => assertToolArguments(NO_REPORT, 'a', {}, { occurrence: 0 }),
      'option occurrence must be a whole number of 1 or more, not 0',
    ],
    [
      'a misspelt option',
      () => assertToolArguments(NO_REPORT, 'a', {}, loose({ occurence: 1 })),
      "options may only have the keys occurrence, redact, not 'occurence'",
    ],
    [
      'an empty sequence',
      () => assertToolSequence(NO_REPORT, []),
      'names is empty; name the tools, or say by a count of 0 which must not be called',
    ],
    [
      'a sequence with a hole',
      () => assertToolSequence(NO_REPORT, loose(new Array(1))),
      "names[0] must be a tool's name, not undefined",
    ],
    [
      'a text for strict',
      () => assertToolSequence(NO_REPORT, ['a'], loose({ strict: 'no' })),
      "option strict must be true or false, not 'no'",
    ],
  ])('is refused before anything is asserted: %s', (_what, assertion, message) => {
    expect(thrownBy(assertion)).toMatchObject({ code: 'bad_expectation', message });
  });
});
