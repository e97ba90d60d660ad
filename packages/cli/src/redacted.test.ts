import { createRedactor } from '@stepfork/redact';
import { createTrace, errorEvent, toolCallEvent, toolResultEvent } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { redactedEvent, redactedManifest } from './redacted.js';

const KEYS = ['status', 'name', 'message', 'id', 'type', 'agent_name', 'totals', 'failure'];
const TOKEN = `npm_${'a'.repeat(36)}`;

describe('what is shown of a bundle', () => {
  const redactor = createRedactor({ keys: KEYS });

  it('keeps the fields of the format, whatever keys are secret', () => {
    const call = toolCallEvent({ name: 'look_up', input: { name: 'Ada', order: 7 } });
    const shown = redactedEvent(call, redactor);
    expect(shown).toEqual({ ...call, input: { name: '[REDACTED]', order: 7 } });
    const failed = toolResultEvent({ name: 'look_up', status: 'error', output: { status: 'gone' } });
    expect(redactedEvent(failed, redactor)).toEqual({ ...failed, output: { status: '[REDACTED]' } });
    const error = errorEvent({ error_type: 'Error', message: `no ${TOKEN}` });
    expect(redactedEvent(error, redactor)).toEqual({ ...error, message: 'no [REDACTED]' });
    const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'agent' });
    expect(redactedManifest(manifest, redactor)).toEqual(manifest);
  });

  it('goes without what a foreign bundle has for an id, too', () => {
    const call = toolCallEvent({ id: TOKEN, name: 'look_up', input: 1 });
    expect(JSON.stringify(redactedEvent(call, redactor))).not.toContain(TOKEN);
    const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'agent', runId: TOKEN });
    expect(JSON.stringify(redactedManifest(manifest, redactor))).not.toContain(TOKEN);
  });
});
