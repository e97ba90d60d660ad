import {
  canonicalJsonText,
  encodeValue,
  fromTraceValue,
  type Json,
  PAYLOAD_FIELDS,
  parseJson,
  payloadText,
  sealEvent,
  toolCallEvent,
} from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';

/** What an agent gets back of a value that was recorded. */
const throughTrace = (value: unknown): unknown =>
  fromTraceValue(createRedactor().redact(encodeValue(value).json).value);

describe('values that JSON has no form for', () => {
  it('sees the entries of a Map', () => {
    const map = new Map<unknown, unknown>([
      ['x-api-key', 'aaaaaaaa'],
      ['plain', 1],
      [7, { password: null }],
    ]);
    expect(throughTrace(map)).toEqual(
      new Map<unknown, unknown>([
        ['x-api-key', REDACTED],
        ['plain', 1],
        [7, { password: REDACTED }],
      ]),
    );
  });

  it('sees the values of a Set', () => {
    expect(throughTrace(new Set(['sk-aaaaaaaa', 2]))).toEqual(new Set([REDACTED, 2]));
  });

  it('sees an error’s message, cause and own fields', () => {
    const error = Object.assign(new Error('refused sk-aaaaaaaa', { cause: { token: 'bbbbbbbb' } }), {
      headers: { 'set-cookie': 'sid=cccccccc' },
      status: 401,
    });
    const back = throughTrace(error) as typeof error;
    expect(back.message).toBe(`refused ${REDACTED}`);
    expect(back.cause).toEqual({ token: REDACTED });
    expect(back).toMatchObject({ status: 401, headers: { 'set-cookie': REDACTED } });
  });

  it('looks at binary data as the text it holds, and leaves it binary', () => {
    const back = throughTrace({ body: Buffer.from('{"password":"hünter2"}'), raw: new Uint8Array([255, 0, 1]) });
    expect(back).toEqual({ body: Buffer.from(`{"password":"${REDACTED}"}`), raw: new Uint8Array([255, 0, 1]) });
  });

  it('hides a secret that an agent decoded from Base64', () => {
    const secret = Buffer.from([200, 1, 2, 3, 4, 5, 6, 7, 8, 9]).toString('base64');
    const redactor = createRedactor();
    redactor.redact({ token: secret });
    const bytes = encodeValue(Buffer.from(secret, 'base64')).json;
    const once = redactor.redact(bytes);
    expect(JSON.stringify(once.value)).not.toContain(secret);
    expect(fromTraceValue(once.value)).toEqual(Buffer.from(REDACTED));
    expect(redactor.redact(once.value)).toEqual({ value: once.value, findings: [] });
  });

  it('leaves a secret key’s value alone where it holds no text', () => {
    const value = { token: undefined, cookie: new Date(0), secret_key: Number.NaN, api_keys: new Set<string>() };
    expect(throughTrace(value)).toEqual(value);
  });

  it('replaces texts inside tagged containers under a secret key, and other tagged values whole', () => {
    const value = {
      cookies: new Map([['sid', 'aaaaaaaa']]),
      db_password: Buffer.from('bbbbbbbb'),
      token: new URL('a:b'),
    };
    expect(throughTrace(value)).toEqual({
      cookies: new Map([['sid', REDACTED]]),
      db_password: REDACTED,
      token: REDACTED,
    });
  });

  it('keeps a user’s own key that looks like the tag', () => {
    const value = { $stepfork: 'map', entries: [['password', 'x']] };
    expect(throughTrace(value)).toEqual({ $stepfork: 'map', entries: [['password', REDACTED]] });
  });
});

describe('plain data', () => {
  it('keeps bigints and floats of whole numbers where they are not redacted', () => {
    const input = parseJson('{"n":9007199254740993,"f":1.0,"list":[2.0,{"secret":3.0}],"deep":{"e":1e2}}');
    const { event } = createRedactor().redactEvent(toolCallEvent({ name: 't', input }));
    const field = PAYLOAD_FIELDS.tool_call[0];
    expect(field && payloadText(event, field)).toBe(
      canonicalJsonText(`{"n":9007199254740993,"f":1.0,"list":[2.0,{"secret":"${REDACTED}"}],"deep":{"e":1e2}}`),
    );
  });

  it('keeps __proto__ an ordinary key', () => {
    const value = JSON.parse('{"__proto__":{"password":"x","polluted":true}}') as Json;
    const result = createRedactor().redact(value).value;
    expect(JSON.stringify(result)).toBe(`{"__proto__":{"password":"${REDACTED}","polluted":true}}`);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('copies only what it changes', () => {
    const value = { left: { a: [1] }, right: { token: 'aaaaaaaa', keep: { b: 2 } } };
    const result = createRedactor().redact(value).value as typeof value;
    expect(result.left).toBe(value.left);
    expect(result.right.keep).toBe(value.right.keep);
  });

  it('renames keys that hold a credential, one by one', () => {
    const value = { 'sk-bbbbbbbb': 2, 'sk-aaaaaaaa': { password: 1 }, [REDACTED]: 0, plain: 3 };
    const { value: result, findings } = createRedactor().redact(value);
    expect(result).toEqual({
      [REDACTED]: 0,
      [`${REDACTED} (2)`]: { password: REDACTED },
      [`${REDACTED} (3)`]: 2,
      plain: 3,
    });
    expect(findings.map((finding) => finding.path)).toEqual([
      `/${REDACTED} (2)`,
      `/${REDACTED} (2)/password`,
      `/${REDACTED} (3)`,
    ]);
  });

  it('refuses a value that is nested too deep, or holds itself', () => {
    const cycle: { self?: Json } = {};
    cycle.self = cycle as Json;
    expect(() => createRedactor().redact(cycle as Json)).toThrow(expect.objectContaining({ code: 'not_canonical' }));
    let deep: Json = 'x';
    for (let i = 0; i < 990; i++) deep = [deep];
    expect(createRedactor().redact(deep).findings).toEqual([]);
  });

  it('seals what it was given when there is nothing to redact', () => {
    const event = toolCallEvent({ name: 't', input: { a: 1 } });
    expect(createRedactor().redactEvent(event)).toEqual(sealEvent(event, []));
  });
});
