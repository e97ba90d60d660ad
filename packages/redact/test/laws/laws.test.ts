import { canonicalJson, type Json, runEndEvent, toolCallEvent } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED, type RedactOptions } from '../../src/index.js';
import { json, riskyText } from './values.js';

const numRuns = process.env.STEPFORK_FULL === '1' ? 5_000 : 250;
const run = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void): void => {
  fc.assert(fc.property(arbitrary, law), { numRuns, seed: 20 });
};
const show = (value: Json): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item));

const custom: RedactOptions = {
  keys: ['name'],
  pointers: ['/a', '/*/b~1c'],
  patterns: [/[A-Z]{4,}/, /e(?<secret>eee)/, /\S{20}/],
  functions: [(value) => value === 12345678],
};
const rulesets: readonly (readonly [string, RedactOptions])[] = [
  ['default', {}],
  ['0.1', { ruleset: '0.1' }],
  ['custom rules', custom],
  ['custom rules over 0.1', { ...custom, ruleset: '0.1' }],
  ['personal data', { pii: ['email', 'phone'] }],
];

describe.each(rulesets)('with %s', (_name, options) => {
  it('never changes its input', () => {
    run(json, (value) => {
      const before = show(value);
      createRedactor(options).redact(deepFreeze(value));
      expect(show(value)).toBe(before);
    });
  });

  it('is the same done twice as done once', () => {
    run(json, (value) => {
      const once = createRedactor(options).redact(value).value;
      expect(createRedactor(options).redact(once)).toEqual({ value: once, findings: [] });
    });
  });

  it('makes JSON of JSON', () => {
    run(json, (value) => {
      const result = createRedactor(options).redact(value).value;
      if (canonicalOrNull(value) !== null) expect(canonicalOrNull(result)).not.toBeNull();
    });
  });

  it('answers the same object without findings, and another one with some', () => {
    run(json, (value) => {
      const { value: result, findings } = createRedactor(options).redact(value);
      expect(Object.is(result, value)).toBe(findings.length === 0);
    });
  });

  it('gives the same result whatever the order of keys', () => {
    run(json, (value) => {
      const one = createRedactor(options).redact(value);
      const other = createRedactor(options).redact(reversed(value));
      expect(other.findings.map((finding) => finding.path).sort()).toEqual(
        one.findings.map((finding) => finding.path).sort(),
      );
    });
  });
});

describe('the default ruleset', () => {
  it('leaves nothing that 0.1 would redact', () => {
    run(json, (value) => {
      const result = createRedactor().redact(value).value;
      expect(createRedactor({ ruleset: '0.1' }).redact(result).findings).toEqual([]);
    });
  });

  it('changes nothing of an event but payloads, names and redactions', () => {
    run(json, (input) => {
      const event = toolCallEvent({ name: 'search', input });
      const { event: sealed } = createRedactor().redactEvent(event);
      expect({ ...sealed, input: 0, redactions: 0 }).toEqual({ ...event, input: 0, redactions: 0 });
    });
  });

  it('finds in an event what it finds in its payload', () => {
    run(json, (output) => {
      const { findings, event } = createRedactor().redactEvent(runEndEvent({ run_status: 'completed', output }));
      const alone = createRedactor().redact(output);
      expect(findings).toEqual(alone.findings.map(({ path, reason }) => ({ path: `/output${path}`, reason })));
      expect(event).toMatchObject({ output: alone.value });
    });
  });
});

describe('a secret', () => {
  const secret = fc
    .stringMatching(/^[A-Za-z0-9+/=_.~"\\ é-]{12,40}$/)
    .filter((text) => text.trim() === text && !/^(bearer|basic|token|apikey|negotiate)\s/i.test(text));
  const around = fc.tuple(riskyText, riskyText);

  it('is in no finding, and in no spelling in what comes later', () => {
    run(fc.tuple(secret, around), ([text, [before, after]]) => {
      const redactor = createRedactor();
      redactor.redact({ session_token: text });
      const spellings = [text, encodeURIComponent(text), JSON.stringify(text), Buffer.from(text).toString('base64')];
      for (const spelling of spellings) {
        const { value, findings } = redactor.redact({ note: `${before} ${spelling} ${after}` });
        expect(show(value)).not.toContain(spelling);
        expect(show(value)).toContain(REDACTED);
        expect(JSON.stringify(findings)).not.toContain(text);
      }
    });
  });
});

function canonicalOrNull(value: Json): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

function deepFreeze(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item as Json);
  }
  return value;
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item as Json)]),
  );
}
