import {
  errorEvent,
  isStepforkError,
  type Json,
  llmResponseEvent,
  type Manifest,
  runStartEvent,
  stateChangeEvent,
  type TraceEvent,
  toolCallEvent,
} from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';

const redact = (value: Json) => createRedactor({ ruleset: '0.1' }).redact(value);
const redactEvent = (event: TraceEvent) => createRedactor({ ruleset: '0.1' }).redactEvent(event);

const manifest: Manifest = {
  format: 'stepfork',
  schema_version: '0.1',
  run_id: 'run_1',
  agent_name: 'agent',
  created_at: '2026-01-02T03:04:05Z',
  status: 'failed',
  failure: { type: 'E', message: 'sk-aaaaaaaa is bad', step: 1 },
  environment: { python: null, os: 'linux ghp_aaaaaaaa', stepfork_version: null },
  totals: { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null },
};

describe('keys', () => {
  it.each(['api_key', 'API_KEY', 'api-key', 'accessToken', 'clientSecret', 'password', 'authorization'])(
    'B036 replaces the value of %s',
    (key) => {
      expect(redact({ [key]: 'x' }).value).toEqual({ [key]: REDACTED });
    },
  );

  it.each(['Pass Word', 'pass.word!', 'passworD\u00e9', 'PA\u017fSWORD', '\u212aapikey'])(
    'B037 compares %s in lower case and without what is not a-z0-9',
    (key) => {
      const squashed = key.toLowerCase().replace(/[^a-z0-9]/g, '');
      expect(redact({ [key]: 'x' }).value).toEqual({ [key]: squashed === 'password' ? REDACTED : 'x' });
    },
  );

  it.each(['keyboard', 'monkey', 'primary_key', 'api_keys', 'my_password'])('B038 leaves %s alone', (key) => {
    expect(redact({ [key]: 'x' }).findings).toEqual([]);
  });

  it.each(['token', 'cookie', 'x-api-key', 'openai_api_key', 'secret_key', 'id_token', 'credentials'])(
    'B039 leaves %s alone',
    (key) => {
      expect(redact({ [key]: 'x' }).findings).toEqual([]);
    },
  );

  it.each<Json>([null, 1, 2n, true, '', [1, { password: 'x' }], { api_key: 'x' }])(
    'B040 replaces a value whole, whatever it is, and looks at nothing inside',
    (value) => {
      expect(redact({ secret: value })).toEqual({
        value: { secret: REDACTED },
        findings: [{ path: '/secret', reason: 'sensitive_key' }],
      });
    },
  );

  it('B041 keeps a value that is the replacement already, without a finding', () => {
    expect(redact({ secret: REDACTED })).toEqual({ value: { secret: REDACTED }, findings: [] });
  });

  it('B042 visits objects and arrays, with indices in the path', () => {
    expect(redact({ a: [{}, { b: { secret: 1 } }] }).findings).toEqual([
      { path: '/a/1/b/secret', reason: 'sensitive_key' },
    ]);
  });
});

describe('shapes', () => {
  it('B043 replaces only the matched spans, all of them', () => {
    expect(redact('a sk-aaaaaaaa b ghp_aaaaaaaa c').value).toBe(`a ${REDACTED} b ${REDACTED} c`);
  });

  it('B044 gives one finding for a string, however many spans', () => {
    expect(redact({ a: 'sk-aaaaaaaa sk-bbbbbbbb', secret: 1 }).findings).toEqual([
      { path: '/a', reason: 'credential_pattern' },
      { path: '/secret', reason: 'sensitive_key' },
    ]);
  });

  it.each([
    ['Bearer aaaaaaaa', `Bearer ${REDACTED}`],
    ['bEARER aaaaaaaa!', `bEARER ${REDACTED}!`],
    ['forbearer abcdefgh', `forbearer ${REDACTED}`],
    ['Authorization:Bearer aaaa+/=-', `Authorization:Bearer ${REDACTED}`],
    ['Authorization: \t bearer aaaaaaaa', `Authorization: \t bearer ${REDACTED}`],
  ])('B045 keeps what stands before the token of %j', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });

  it.each(['Bearer abc', 'Bearer abcdefg', `Bearer ${REDACTED}`])('B046 leaves %j alone', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  it.each([
    ['sk-abcdefg', 'sk-abcdefg'],
    ['sk-abcdefgh', REDACTED],
    ['task-abcdefgh12', 'task-abcdefgh12'],
    ['_sk-abcdefgh', '_sk-abcdefgh'],
    ['-sk-abcdefgh', `-${REDACTED}`],
  ])('B047 knows where a key begins in %j', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });

  it('B048 gives back a closing hyphen', () => {
    expect(redact('sk-abcdefgh-').value).toBe(`${REDACTED}-`);
  });

  it.each(['ésk-abcdefgh', 'sk-abcdefghé', '日sk-abcdefgh', 'ghp_abcdefgh\u{1d49c}', '२gho_abcdefgh'])(
    'B049 takes the letters and digits of every script for word characters in %j',
    (text) => {
      expect(redact(text).findings).toEqual([]);
    },
  );

  it.each(['\u00a0', '\u0085', '\u001c', '\u001d', '\u001e', '\u001f', '\u2003', '\u3000', '\n\t'])(
    'B050 takes %j for white space',
    (space) => {
      expect(redact(`Bearer${space}abcdefgh`).value).toBe(`Bearer${space}${REDACTED}`);
    },
  );

  it('B050 does not take U+FEFF for white space', () => {
    expect(redact('Bearer\ufeffabcdefgh').findings).toEqual([]);
  });

  it('B051 folds dotless i, long s and the Kelvin sign', () => {
    expect(redact('Author\u0131zat\u0130on: Bearer abcdef\u017f\u212a').value).toBe(
      `Author\u0131zat\u0130on: Bearer ${REDACTED}`,
    );
    expect(redact('Bearer \u0131\u0131\u0131\u0131\u0131\u0131\u0131\u0131').value).toBe(`Bearer ${REDACTED}`);
    expect(redact('\u017fk-abcdefgh').findings).toEqual([]);
  });

  it('applies each shape to the result of the one before', () => {
    expect(redact('sk-abcdefghBearer abcdefgh').value).toBe(`${REDACTED} ${REDACTED}`);
  });
});

describe('results', () => {
  it('B052 escapes path segments as JSON Pointer does', () => {
    expect(redact({ 'a/b': { 'c~d': { api_key: 1 } } }).findings[0]?.path).toBe('/a~1b/c~0d/api_key');
  });

  it('B053 names the root by the empty string, and a payload by its field', () => {
    expect(redact('sk-aaaaaaaa').findings[0]?.path).toBe('');
    const event = llmResponseEvent({ output: 'sk-aaaaaaaa' });
    expect(redactEvent(event).findings).toEqual([{ path: '/output', reason: 'credential_pattern' }]);
  });

  it('B054 never puts the secret into a finding', () => {
    const { findings } = redact({ password: 'hunter2hunter2', a: 'sk-aaaaaaaa' });
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|sk-/);
  });

  it('B055 never changes its input', () => {
    const value = Object.freeze({ a: Object.freeze([Object.freeze({ secret: 'x' })]), b: 'sk-aaaaaaaa' });
    const before = JSON.stringify(value);
    expect(redact(value).value).not.toBe(value);
    expect(JSON.stringify(value)).toBe(before);
  });

  it('B056 is the same done twice as done once', () => {
    const once = redact({ secret: 1, a: 'Bearer aaaaaaaa sk-aaaaaaaa' }).value;
    expect(redact(once)).toEqual({ value: once, findings: [] });
  });

  it('B057 finds in code-point order of the keys, whatever their order in the value', () => {
    const value = {
      '\u{1f600}': { secret: 1 },
      b: { secret: 1 },
      '\ufb01': { secret: 1 },
      10: { secret: 1 },
      a: 'sk-aaaaaaaa',
    };
    expect(redact(value).findings.map((finding) => finding.path)).toEqual([
      '/10/secret',
      '/a',
      '/b/secret',
      '/\ufb01/secret',
      '/\u{1f600}/secret',
    ]);
  });

  it('answers the same object when there is nothing to redact', () => {
    const value = { a: [1, 'x', { b: null }] };
    expect(redact(value).value).toBe(value);
  });
});

describe('events', () => {
  it('B058 never changes the structural fields', () => {
    const event = llmResponseEvent({
      id: 'secret',
      run_id: 'password',
      parent_id: 'apikey',
      step: 3,
      duration_ms: 4,
      output: { secret: 1 },
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      cost_usd: 0.5,
      redactions: ['/old'],
    });
    const { event: sealed } = redactEvent(event);
    expect(sealed).toEqual({ ...event, output: { secret: REDACTED }, redactions: ['/old', '/output/secret'] });
  });

  it('B059 redacts names, models, providers, messages and error types like payloads', () => {
    const tool = toolCallEvent({ name: 'tool sk-aaaaaaaa', input: {} });
    expect(redactEvent(tool)).toMatchObject({ event: { name: `tool ${REDACTED}`, redactions: ['/name'] } });
    const llm = llmResponseEvent({ model: 'm ghp_aaaaaaaa', output: null });
    expect(redactEvent(llm)).toMatchObject({ event: { model: `m ${REDACTED}` } });
    const state = stateChangeEvent({ key: 'gho_aaaaaaaa' });
    expect(redactEvent(state)).toMatchObject({ event: { key: REDACTED } });
  });

  it.each(['id', 'run_id', 'parent_id', 'input_hash'])('B060 refuses a credential in %s', (field) => {
    const event = runStartEvent({ [field]: 'sk-aaaaaaaa' });
    expect(() => redactEvent(event)).toThrow(expect.objectContaining({ code: 'credential_in_protected_field' }));
    try {
      redactEvent(event);
    } catch (error) {
      expect(isStepforkError(error)).toBe(true);
      expect(JSON.stringify(error) + String(error)).not.toContain('sk-aaaaaaaa');
    }
  });

  it('B061 redacts a manifest’s agent name, failure and environment, and nothing else', () => {
    const { manifest: sealed } = createRedactor({ ruleset: '0.1' }).redactManifest({
      ...manifest,
      agent_name: 'a sk-aaaaaaaa',
    });
    expect(sealed).toEqual({
      ...manifest,
      agent_name: `a ${REDACTED}`,
      failure: { type: 'E', message: `${REDACTED} is bad`, step: 1 },
      environment: { python: null, os: `linux ${REDACTED}`, stepfork_version: null },
    });
    expect(() => createRedactor().redactManifest({ ...manifest, run_id: 'sk-aaaaaaaa' })).toThrow(/'run_id'/);
  });

  it('B062 names the places of a manifest from its root', () => {
    const { findings } = createRedactor({ ruleset: '0.1' }).redactManifest(manifest);
    expect(findings).toEqual([
      { path: '/environment/os', reason: 'credential_pattern' },
      { path: '/failure/message', reason: 'credential_pattern' },
    ]);
  });

  it('B063 adds the new paths to an event’s redactions, fields in alphabetical order', () => {
    const event = errorEvent({
      error_type: 'sk-aaaaaaaa',
      message: 'sk-aaaaaaaa',
      details: { z: { secret: 1 }, a: 'sk-aaaaaaaa' },
      redactions: ['/details/old'],
    });
    expect(redactEvent(event)).toMatchObject({
      event: { redactions: ['/details/old', '/details/a', '/details/z/secret', '/error_type', '/message'] },
    });
    const state = stateChangeEvent({ key: 'sk-aaaaaaaa', before: { secret: 1 }, after: { secret: 1 } });
    expect(redactEvent(state).findings.map((finding) => finding.path)).toEqual([
      '/after/secret',
      '/before/secret',
      '/key',
    ]);
  });

  it('B064 names each place once', () => {
    expect(redactEvent(runStartEvent({ input: 'sk-aaaaaaaa sk-bbbbbbbb' })).findings).toHaveLength(1);
  });

  it('B065 finds nothing in what was redacted before, and keeps the list that the event carries', () => {
    const once = redactEvent(toolCallEvent({ name: 't', input: { api_key: 'x' } })).event;
    const twice = redactEvent(once);
    expect(twice.findings).toEqual([]);
    expect(twice.event).toEqual(once);
  });

  it('B066 leaves the event in memory as it was', () => {
    const event = toolCallEvent({ name: 't', input: { api_key: 'x' } });
    const before = structuredClone(event);
    redactEvent(event);
    expect(event).toEqual(before);
  });
});
