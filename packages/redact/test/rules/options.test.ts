import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED, type RedactOptions } from '../../src/index.js';

describe('rules of one’s own', () => {
  it('match keys by letters and digits of any script, whatever their case', () => {
    const { redact } = createRedactor({ keys: ['SSN', 'Пароль'] });
    expect(redact({ ssn: 1, 's-s_n': [2], ПАРОЛЬ: 'x', ssns: 3 }).value).toEqual({
      ssn: REDACTED,
      's-s_n': REDACTED,
      ПАРОЛЬ: REDACTED,
      ssns: 3,
    });
  });

  it('match keys in JSON text and pairs too', () => {
    const { redact } = createRedactor({ keys: ['ssn'] });
    expect(redact('{"ssn": [1, "x"], "b": 2}').value).toBe(`{"ssn": "${REDACTED}", "b": 2}`);
    expect(redact('?ssn=1&b=2').value).toBe(`?ssn=${REDACTED}&b=2`);
  });

  it('resolve pointers from the payload, with wildcards', () => {
    const { redact } = createRedactor({ pointers: ['/rows/*/iban', '/a~1b/0', '/*/*/deep'] });
    const value = { rows: [{ iban: 1, other: 2 }, 'x'], 'a/b': ['y', 'z'], p: { q: { deep: null } } };
    expect(redact(value)).toEqual({
      value: { rows: [{ iban: REDACTED, other: 2 }, 'x'], 'a/b': [REDACTED, 'z'], p: { q: { deep: REDACTED } } },
      findings: [
        { path: '/a~1b/0', reason: 'pointer' },
        { path: '/p/q/deep', reason: 'pointer' },
        { path: '/rows/0/iban', reason: 'pointer' },
      ],
    });
  });

  it('resolve the empty pointer to the whole payload', () => {
    expect(createRedactor({ pointers: [''] }).redact({ a: 1 }).value).toBe(REDACTED);
  });

  it('replace a pattern’s matches, or its group named secret', () => {
    const { redact } = createRedactor({ patterns: [/\bB-\d+/i, /pin=(?<secret>\d+)?/g] });
    expect(redact('b-12 pin=1234 pin= B-3').value).toBe(`${REDACTED} pin=${REDACTED} pin= ${REDACTED}`);
    expect(redact('b-12').findings).toEqual([{ path: '', reason: 'pattern' }]);
  });

  it('come to rest even when they match the replacement', () => {
    const { redact } = createRedactor({ patterns: [/[A-Z]+/, /\w+\]/] });
    expect(redact('ABC x').value).toBe(`${REDACTED} x`);
    expect(redact(`${REDACTED}ABC`).value).toBe(`${REDACTED}${REDACTED}`);
  });

  it('ask functions for every value, with its place in the payload', () => {
    const asked: unknown[] = [];
    const { redact } = createRedactor({
      functions: [
        (value, { path, key }) => {
          asked.push([path, key]);
          return value === 5;
        },
      ],
    });
    expect(redact({ a: [5, 6] }).value).toEqual({ a: [REDACTED, 6] });
    expect(asked).toEqual([
      ['', null],
      ['/a', 'a'],
      ['/a/0', 0],
      ['/a/1', 1],
    ]);
  });

  it('refuse a value at which a function throws, without quoting it', () => {
    const rule = (value: unknown): boolean => {
      throw new Error(`cannot judge ${String(value)}`);
    };
    expect(() => createRedactor({ functions: [rule] }).redact('hush')).toThrow(
      expect.objectContaining({ code: 'redaction_function_failed', message: expect.not.stringContaining('hush') }),
    );
  });

  it.each<[string, unknown]>([
    ['unknown option', { key: ['a'] }],
    ['unknown ruleset', { ruleset: '0.2' }],
    ['no list', { keys: 'ssn' }],
    ['key that is no text', { keys: [1] }],
    ['key without a letter', { keys: ['--'] }],
    ['pointer without a slash', { pointers: ['a'] }],
    ['pointer with a bad escape', { pointers: ['/a~2'] }],
    ['pointer that is no text', { pointers: [1] }],
    ['pattern that is text', { patterns: ['abc'] }],
    ['pattern that matches nothing', { patterns: [/a*/] }],
    ['sticky pattern', { patterns: [/a/y] }],
    ['function that is none', { functions: [true] }],
    ['unknown personal data', { pii: ['name'] }],
    ['null', null],
  ])('are refused when the redactor is made: %s', (_what, options) => {
    expect(() => createRedactor(options as RedactOptions)).toThrow(
      expect.objectContaining({ name: 'StepforkError', code: 'bad_redaction_rule' }),
    );
  });

  it('name the bad rule', () => {
    expect(() => createRedactor({ pointers: ['rows/0'] })).toThrow(
      "redaction pointer 'rows/0' is not a JSON Pointer such as /user/ssn",
    );
  });

  it('leave the caller’s pattern object alone', () => {
    const pattern = /b/g;
    pattern.lastIndex = 3;
    createRedactor({ patterns: [pattern] }).redact('abab');
    expect(pattern.lastIndex).toBe(3);
  });
});

describe('the fingerprint', () => {
  const fingerprint = (options?: RedactOptions) => createRedactor(options).fingerprint;

  it('is a SHA-256, equal for equal rules', () => {
    expect(fingerprint()).toMatch(/^[0-9a-f]{64}$/);
    expect(fingerprint({ keys: ['B', 'a'], patterns: [/x/] })).toBe(
      fingerprint({ keys: ['a', 'b'], patterns: [/x/g] }),
    );
    expect(fingerprint({})).toBe(fingerprint({ ruleset: 'default' }));
  });

  it('tells different rules apart', () => {
    const all: readonly (RedactOptions | undefined)[] = [
      undefined,
      { ruleset: '0.1' },
      { keys: ['a'] },
      { pointers: ['/a'] },
      { patterns: [/a/] },
      { patterns: [/a/i] },
      { functions: [() => false] },
      { pii: ['email'] },
    ];
    expect(new Set(all.map(fingerprint)).size).toBe(all.length);
  });

  it('names the ruleset beside it', () => {
    expect(createRedactor().ruleset).toBe('default');
    expect(createRedactor({ ruleset: '0.1' }).ruleset).toBe('0.1');
  });
});
