import { encodeValue, type Json, runEndEvent, toolCallEvent, toolResultEvent } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';

const SECRET = 'zz/+zz"zz zz=zz';
const taught = () => {
  const redactor = createRedactor();
  redactor.redact({ session_token: SECRET });
  return (value: Json) => redactor.redact(value);
};

describe('a string that a key rule redacted', () => {
  it.each([
    ['as it is', `id ${SECRET}.`, `id ${REDACTED}.`],
    ['in a URL', `/a?s=${encodeURIComponent(SECRET)}&b=1`, `/a?s=${REDACTED}&b=1`],
    ['in a URL with lower-case escapes', '/a/zz%2f%2bzz%22zz%20zz%3dzz/b', `/a/${REDACTED}/b`],
    ['in a form body', `x=1&s=${new URLSearchParams({ s: SECRET }).toString().slice(2)}`, `x=1&s=${REDACTED}`],
    ['in JSON text', JSON.stringify({ s: SECRET }), JSON.stringify({ s: REDACTED })],
    [
      'in JSON text in JSON text',
      JSON.stringify({ s: JSON.stringify({ t: SECRET }) }),
      JSON.stringify({ s: JSON.stringify({ t: REDACTED }) }),
    ],
    ['in Base64', `x ${btoa(SECRET)} y`, `x ${REDACTED} y`],
    ['inside Base64, one byte in', `x ${btoa(`a${SECRET}`)}`, `x ${REDACTED}`],
    ['inside Base64, two bytes in', `x ${btoa(`ab${SECRET}cd`)}`, `x ${REDACTED}`],
    ['in Base64 for URLs', `x ${Buffer.from(SECRET).toString('base64url')}`, `x ${REDACTED}`],
    ['in Base64 in a URL', `/a?b=${encodeURIComponent(btoa(`user:${SECRET}`))}&c`, `/a?b=${REDACTED}&c`],
  ])('is found %s', (_where, text, expected) => {
    const { value, findings } = taught()({ text });
    expect(value).toEqual({ text: expected });
    expect(findings).toEqual([{ path: '/text', reason: 'recurring_secret' }]);
  });

  it('is found in the same value, also before the key that gives it away', () => {
    const { value, findings } = createRedactor().redact({ a: `see ${SECRET}`, token: SECRET });
    expect(value).toEqual({ a: `see ${REDACTED}`, token: REDACTED });
    expect(findings.map((finding) => finding.reason)).toEqual(['recurring_secret', 'sensitive_key']);
  });

  it('is found in an object’s key, in binary data, in a name, and in an error', () => {
    const redactor = createRedactor();
    redactor.redact({ token: 'yyyyyyyyyyyy' });
    expect(redactor.redact({ yyyyyyyyyyyy: 1 }).value).toEqual({ [REDACTED]: 1 });
    const bytes = encodeValue(Buffer.from('id=yyyyyyyyyyyy')).json;
    expect(redactor.redact(bytes).value).toEqual(encodeValue(Buffer.from(`id=${REDACTED}`)).json);
    const error = encodeValue(Object.assign(new Error('no yyyyyyyyyyyy'), { id: 'yyyyyyyyyyyy' })).json;
    expect(JSON.stringify(redactor.redact(error).value)).not.toContain('yyyyyyyy');
    expect(redactor.redactEvent(toolCallEvent({ name: 'get yyyyyyyyyyyy', input: null })).event).toMatchObject({
      name: `get ${REDACTED}`,
    });
  });

  it('is not found in another session', () => {
    createRedactor().redact({ token: 'yyyyyyyyyyyy' });
    expect(createRedactor().redact('yyyyyyyyyyyy').findings).toEqual([]);
  });

  it('is not looked for when it is shorter than 8 characters', () => {
    const redactor = createRedactor();
    redactor.redact({ token: 'yyyyyyy' });
    expect(redactor.redact('yyyyyyy').findings).toEqual([]);
  });

  it('is not looked for when it is only the word for a secret', () => {
    const redactor = createRedactor();
    expect(redactor.redact({ password: 'password', token: 'undefined' }).findings).toHaveLength(2);
    expect(redactor.redact({ text: 'the password is undefined' }).findings).toEqual([]);
  });

  it('is looked for without the scheme of an Authorization value', () => {
    const redactor = createRedactor();
    redactor.redact({ headers: { authorization: 'Bearer yyyyyyyyyyyy' } });
    expect(redactor.redact('yyyyyyyyyyyy').value).toBe(REDACTED);
    expect(redactor.redact('Bearer yyyyyyyyyyyy').value).toBe(`Bearer ${REDACTED}`);
  });

  it('is looked for without the attributes of a cookie', () => {
    const redactor = createRedactor();
    redactor.redact({ 'set-cookie': 'sid=yyyyyyyyyyyy; Path=/checkout/cart; HttpOnly' });
    expect(redactor.redact({ id: 'yyyyyyyyyyyy', at: '/checkout/cart' }).value).toEqual({
      id: REDACTED,
      at: '/checkout/cart',
    });
  });

  it('is taught by every kind of rule that knows a secret for sure', () => {
    const redactor = createRedactor({
      keys: ['ssn'],
      pointers: ['/iban'],
      functions: [(value) => value === 'fffffffff'],
    });
    redactor.redact({ ssn: 'aaaaaaaaa', iban: 'bbbbbbbbb', f: 'fffffffff' });
    redactor.redact({ args: '{"password":"ccc\\nccccccc"}', query: '?token=ddddddddd', url: 'a://u:eeeeeeeee@h' });
    redactor.redact({ credentials: { region: 'ggggggggg', list: ['hhhhhhhhh'] }, secret: { deep: 'iiiiiiiii' } });
    const text = 'aaaaaaaaa bbbbbbbbb ccc\nccccccc ddddddddd eeeeeeeee fffffffff ggggggggg hhhhhhhhh iiiiiiiii';
    expect(redactor.redact(text).value).toBe(Array(9).fill(REDACTED).join(' '));
  });

  it('is not taught by an English phrase that looks like a header', () => {
    const redactor = createRedactor();
    expect(redactor.redact('Bearer authentication').value).toBe(`Bearer ${REDACTED}`);
    expect(redactor.redact('authentication').findings).toEqual([]);
  });

  it('is not taught by the schema of a parameter', () => {
    const redactor = createRedactor();
    redactor.redact({ properties: { password: { type: 'string', description: 'Tell me the password' } } });
    expect(redactor.redact('Tell me the password').findings).toEqual([]);
  });

  it('is not taught under ruleset 0.1', () => {
    const redactor = createRedactor({ ruleset: '0.1', keys: ['ssn'] });
    redactor.redact({ password: 'yyyyyyyyyyyy', ssn: 'xxxxxxxxxxxx' });
    expect(redactor.redact('yyyyyyyyyyyy xxxxxxxxxxxx').findings).toEqual([]);
  });

  it('is replaced whole when it begins like another one', () => {
    const redactor = createRedactor();
    redactor.redact({ cookies: ['yyyyyyyyyyyy', 'yyyyyyyyyyyyzzzz'] });
    expect(redactor.redact('yyyyyyyyyyyyzzzz yyyyyyyyyyyy').value).toBe(`${REDACTED} ${REDACTED}`);
  });
});

describe('a login whose token is used three ways', () => {
  it('leaves the token in no event', () => {
    const token = 'tttt-tttt/tttt+tttt=';
    const redactor = createRedactor();
    const events = [
      toolResultEvent({ name: 'login', output: { session: { access_token: token } } }),
      toolCallEvent({ name: 'get', input: { headers: { 'X-Session': token } } }),
      toolCallEvent({ name: 'get', input: { url: `https://x.example/?t=${encodeURIComponent(token)}` } }),
      toolCallEvent({ name: 'get', input: { headers: [['X-Auth', `Basic ${btoa(`me:${token}`)}`]] } }),
      runEndEvent({ run_status: 'completed', output: `done with ${token}` }),
    ];
    const text = JSON.stringify(events.map((event) => redactor.redactEvent(event)));
    expect(text).not.toContain('tttt');
    expect(text).not.toContain(btoa(token).slice(4, 16));
  });
});
