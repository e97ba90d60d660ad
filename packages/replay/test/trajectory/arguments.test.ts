import { Buffer } from 'node:buffer';
import { encodeValue, externalizeBytes, type Json } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { assertToolArguments, assertTrajectory } from '../../src/index.js';
import { failureOf, reportOf, thrownBy, tool } from './reports.js';

const REPORT = reportOf([
  tool('search', { city: 'Paris', seats: 2 }),
  tool('other', { city: 'Oslo', seats: 1 }),
  tool('search', { city: 'Rome', seats: 2 }),
]);

/** More than an event holds. */
const LARGE = new Uint8Array(40_000);

/** The head of the failure, without the calls below it. */
function headOf(assertion: () => void): string | undefined {
  return failureOf(assertion)?.split('\nthe replayed run')[0];
}

describe('arguments', () => {
  it('B242 are those of any call of the tool, or of the one that is named', () => {
    assertToolArguments(REPORT, 'search', { seats: 2, city: 'Rome' });
    assertToolArguments(REPORT, 'search', { city: 'Rome', seats: 2 }, { occurrence: 2 });
  });

  it('B242 fail where the named call has others', () => {
    expect(headOf(() => assertToolArguments(REPORT, 'search', { city: 'Rome', seats: 2 }, { occurrence: 1 }))).toBe(
      [
        `expected call 1 of tool 'search' to have the arguments {"city":"Rome","seats":2}, but call #1 has others:`,
        '  city: expected "Rome", got "Paris"',
      ].join('\n'),
    );
  });

  it('B242 fail where no call has them, showing the nearest', () => {
    expect(headOf(() => assertToolArguments(REPORT, 'search', { city: 'Rome', seats: 3, wifi: true }))).toBe(
      [
        `expected tool 'search' to have the arguments {"city":"Rome","seats":3,"wifi":true}, but none of its 2 calls has; the nearest is call #3:`,
        '  seats: expected 3, got 2',
        '  wifi: expected true, got nothing',
      ].join('\n'),
    );
  });

  it('B242 fail where there are too few calls', () => {
    expect(headOf(() => assertToolArguments(REPORT, 'search', { city: 'Rome', seats: 2 }, { occurrence: 3 }))).toBe(
      `expected call 3 of tool 'search' to have the arguments {"city":"Rome","seats":2}, but it was called 2 times`,
    );
    expect(headOf(() => assertToolArguments(REPORT, 'refund', {}))).toBe(
      `expected tool 'refund' to have the arguments {}, but it was not called`,
    );
  });

  it('show a few differences and count the others', () => {
    const report = reportOf([tool('add', { args: [1, 2, 3, 4, 5, 6, 7] })]);
    expect(
      headOf(() => assertToolArguments(report, 'add', { args: [0, 0, 0, 0, 0, 0, 7, 8] }))
        ?.split('\n')
        .slice(1),
    ).toEqual([
      '  args[0]: expected 0, got 1',
      '  args[1]: expected 0, got 2',
      '  args[2]: expected 0, got 3',
      '  args[3]: expected 0, got 4',
      '  args[4]: expected 0, got 5',
      '  and 2 more differences',
    ]);
  });

  it.each<[string, unknown, Json]>([
    ['undefined', { a: undefined }, { a: { $stepfork: 'undefined' } }],
    ['a Date', { at: new Date(0) }, { at: { $stepfork: 'date', value: '1970-01-01T00:00:00.000Z' } }],
    ['a Map', new Map([['a', 1]]), { $stepfork: 'map', entries: [['a', 1]] }],
    ['a bigint', { n: 10n }, { n: { $stepfork: 'bigint', value: '10' } }],
    ['bytes', { b: Buffer.from('ab') }, { b: { $stepfork: 'bytes', kind: 'Buffer', base64: 'YWI=' } }],
    ['bytes that lie in a blob', { b: LARGE }, externalizeBytes(encodeValue({ b: LARGE }).json)],
    ["a key like the encoding's own", { $$stepfork: 1 }, { $$stepfork: 1 }],
  ])('are given as the values themselves, or as a bundle has them: %s', (_what, value, stored) => {
    const report = reportOf([tool('t', stored)]);
    assertToolArguments(report, 't', value);
    assertToolArguments(report, 't', stored);
  });

  it('tell an argument that is undefined from one that is missing, and -0 from 0', () => {
    const report = reportOf([tool('t', { args: [-0] })]);
    expect(headOf(() => assertToolArguments(report, 't', { args: [0] }))).toContain('args[0]: expected 0, got -0');
    expect(headOf(() => assertToolArguments(report, 't', { args: [-0], more: undefined }))).toContain('more: expected');
  });
});

describe('a secret among the arguments', () => {
  it('B242 is redacted before they are compared, and not shown', () => {
    const report = reportOf([tool('login', { user: 'ada', password: '[REDACTED]' })]);
    assertToolArguments(report, 'login', { user: 'ada', password: 'hunter2hunter2' });
    assertToolArguments(report, 'login', { user: 'ada', password: '[REDACTED]' });
    const message = failureOf(() => assertToolArguments(report, 'login', { user: 'bob', password: 'hunter2hunter2' }));
    expect(message).toContain('user: expected "bob", got "ada"');
    expect(message).not.toContain('hunter2');
  });

  it('B242 is redacted by the rules that the replay was given', () => {
    const report = reportOf([tool('visit', { badge: '[REDACTED]' })]);
    const redact = { keys: ['badge'] };
    assertToolArguments(report, 'visit', { badge: 'B-1' }, { redact });
    assertTrajectory(report, { arguments: [{ name: 'visit', value: { badge: 'B-1' } }] }, { redact });
    expect(failureOf(() => assertToolArguments(report, 'visit', { badge: 'B-1' }))).toContain(
      [
        '  badge: expected "B-1", got "[REDACTED]"',
        "  only one side is redacted: expect '[REDACTED]' where the run's input has it, or give option redact as replay had it",
      ].join('\n'),
    );
  });

  it('refuses rules that are none', () => {
    const redact = { pointers: ['no pointer'] };
    expect(thrownBy(() => assertToolArguments(REPORT, 'search', {}, { redact }))).toMatchObject({
      code: 'bad_redaction_rule',
    });
  });
});
