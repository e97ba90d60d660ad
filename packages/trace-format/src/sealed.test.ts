import { describe, expect, it } from 'vitest';
import { encodeEventLine } from './bundle/event-line.js';
import { toolCallEvent } from './event-constructors.js';
import { sha256 } from './hash.js';
import { parseJson } from './json/parse-json.js';
import type { JsonObject } from './json.js';
import { sealEvent } from './sealed.js';

describe('a sealed event', () => {
  it('B035 is hashed as it was redacted', () => {
    const event = toolCallEvent({ name: 'n', input: { password: '[REDACTED]' } });
    const line = encodeEventLine(sealEvent(event, [{ path: '/input/password', reason: 'sensitive_key' }]).event);
    expect(line.event.input_hash).toBe(sha256('{"password":"[REDACTED]"}'));
  });

  it('lists the places that were redacted after those it had, each once', () => {
    const event = toolCallEvent({ name: 'n', input: 1, redactions: ['/old'] });
    const finding = (path: string): { path: string; reason: string } => ({ path, reason: 'r' });
    const sealed = sealEvent(event, ['/input', '/old', '/input', '/name'].map(finding));
    expect(sealed.event.redactions).toEqual(['/old', '/input', '/name']);
    expect(event.redactions).toEqual(['/old']);
  });

  it('keeps floats floats in the parts that redaction rebuilt but did not change', () => {
    const input = parseJson('{"price":2.0,"secret":3.0,"list":[1.0,{"n":1e2}]}') as JsonObject;
    const rebuilt = { price: 2, secret: '[REDACTED]', list: [1, { n: 100 }] };
    const original = toolCallEvent({ name: 'n', input });
    const sealed = sealEvent({ ...original, input: rebuilt }, [], original);
    const text = new TextDecoder().decode(encodeEventLine(sealed.event).bytes);
    expect(text).toContain('"input":{"list":[1.0,{"n":100.0}],"price":2.0,"secret":"[REDACTED]"}}');
  });
});
