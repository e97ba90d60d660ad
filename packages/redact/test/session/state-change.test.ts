import { stateChangeEvent } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';

const SECRET = 'tango-7-whisky';
const change = (key: string) => stateChangeEvent({ key, before: SECRET, after: { is: [SECRET, 7] } });

describe('a state change', () => {
  it('has its own key as the key of what was before and after', () => {
    const redactor = createRedactor();
    const { event } = redactor.redactEvent(change('password'));
    expect(event).toMatchObject({ key: 'password', before: '[REDACTED]', after: '[REDACTED]' });
    expect(event.redactions).toEqual(['/after', '/before']);
    expect(redactor.redact(`was ${SECRET}`).value).toBe('was [REDACTED]');
    expect(createRedactor().redactEvent(change('db_password')).event).toMatchObject({
      after: { is: ['[REDACTED]', 7] },
    });
  });

  it('keeps what another key names', () => {
    expect(createRedactor().redactEvent(change('city')).event).toMatchObject({ before: SECRET, redactions: [] });
    expect(createRedactor().redactEvent(change('max_token')).event).toMatchObject({ before: SECRET });
  });

  it('is left alone by ruleset 0.1, as by the original', () => {
    expect(createRedactor({ ruleset: '0.1' }).redactEvent(change('password')).event).toMatchObject({ before: SECRET });
  });
});
