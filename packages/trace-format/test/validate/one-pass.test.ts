import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { validateBundle } from '../../src/index.js';
import { MANIFEST, writeFiles } from '../support/bundle-files.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A line as a writer puts it, its payload and whatever follows being given as text. */
function line(payload: string, stored: string, rest = ''): string {
  const common = '"parent_id":null,"step":0,"type":"tool_call","timestamp":"2026-10-08T10:00:00Z","duration_ms":null';
  const more = `"status":"ok","replay_policy":"frozen","input_hash":"${stored}","output_hash":null,"redactions":[]`;
  return `{"id":"e1","run_id":"run_1",${common},${more},"name":"t","input":${payload}${rest}}`;
}

/** The issues of a bundle of one such line that have to do with hashes. */
function hashIssues(text: string): string[] {
  const manifest = { ...MANIFEST, totals: { events: 1 } };
  const { issues } = validateBundle(writeFiles({ manifest, events: `${text}\n` }), {
    strict: false,
    verifyIntegrity: true,
  });
  return issues.map(({ code }) => code).filter((code) => code !== 'integrity_unverified');
}

describe('a payload that is verified as it stands in its line', () => {
  it.each(['{"a":1}', '[1,2]', '"text"', '1', 'null', '{"input":{"input":1}}', '"}"'])('takes %s', (payload) => {
    expect(hashIssues(line(payload, hash(payload)))).toEqual([]);
  });

  it('is written anew where it does not stand there as canonical text, numbers exact', () => {
    expect(hashIssues(line('{ "b":1.0, "a":9007199254740993 }', hash('{"a":9007199254740993,"b":1.0}')))).toEqual([]);
    expect(hashIssues(line('{ "b":1.0 }', hash('{"b":1}')))).toEqual(['payload_hash_mismatch']);
  });

  it('is the one that counts, where its key stands there twice in whatever spelling', () => {
    const twice = (second: string): string => `{"a":1},${second}:{"a":2}`;
    for (const key of ['"input"', '"inp\\u0075t"', '"input" ']) {
      // The hash of all bytes from the first payload to the end must not pass for that of a payload.
      expect(hashIssues(line(twice(key), hash(twice(key))))).toEqual(['payload_hash_mismatch']);
      expect(hashIssues(line(twice(key), hash('{"a":1}')))).toEqual(['payload_hash_mismatch']);
      expect(hashIssues(line(twice(key), hash('{"a":2}')))).toEqual([]);
    }
  });

  it('must be JSON, whatever its hash', () => {
    for (const payload of ['', '{', '{"a":1}}', 'nul']) {
      expect(hashIssues(line(payload, hash(payload)))).toEqual(['invalid_json']);
    }
  });

  it('belongs to an event without other fields', () => {
    expect(hashIssues(line('{"a":1}', hash('{"a":1}'), ',"colour":1'))).toEqual(['invalid_event']);
  });
});

describe('the issues of a large bundle', () => {
  it('are counted, not listed, beyond ten thousand', () => {
    const events = Array.from({ length: 10_050 }, (_, n) => ({
      ...{ id: 'same', run_id: 'run_1', step: n, type: 'tool_call', name: 't', input: n },
    }));
    const { valid, issues } = validateBundle(writeFiles({ events }), { strict: false });
    expect(valid).toBe(false);
    expect(issues).toHaveLength(10_001);
    expect(issues.at(-1)).toMatchObject({ code: 'more_issues', message: '49 more issues of events are not listed' });
  });
});
