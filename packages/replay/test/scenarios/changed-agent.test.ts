import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { assertReplay, formatReport, replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

const order = traceTool('order_status', async (input: { id: string }) => ({ id: input.id, status: 'shipped' }));
const carrier = traceTool('carrier', async (input: { id: string; detailed?: boolean }) => `FedEx ${input.id}`);
const notify = traceTool('notify', (input: { to: string }) => `told ${input.to}`);
const refund = traceTool('refund', async (input: { id: string }) => input.id);
const wording = (prompt: string) =>
  llmRequest({ provider: 'acme', model: 'small-1', input: { prompt }, call: async () => ({ text: 'On its way.' }) });

async function agent(): Promise<string> {
  await order({ id: 'A-1' });
  await carrier({ id: 'A-1' });
  await wording('Tell the customer.');
  return notify({ to: 'ada' });
}

/** One change each: what the agent does now, and what a person is told. */
const CHANGES: readonly (readonly [change: string, code: string, message: string, changed: () => unknown])[] = [
  [
    'swaps two calls',
    'reordered',
    "call #1: expected tool 'order_status' but the agent called 'carrier'",
    async () => {
      await carrier({ id: 'A-1' });
      await order({ id: 'A-1' });
      await wording('Tell the customer.');
      return notify({ to: 'ada' });
    },
  ],
  [
    'changes an argument',
    'input_changed',
    'call #2: tool \'carrier\' was called with another input: at \'id\' recorded "A-1", got "A-2"',
    async () => {
      await order({ id: 'A-1' });
      await carrier({ id: 'A-2' });
    },
  ],
  [
    'adds an argument',
    'input_changed',
    "call #2: tool 'carrier' was called with another input: at 'detailed' recorded nothing, got true",
    async () => {
      await order({ id: 'A-1' });
      await carrier({ id: 'A-1', detailed: true });
    },
  ],
  [
    'changes a prompt',
    'input_changed',
    'call #3: LLM \'acme/small-1\' was called with another input: at \'prompt\' recorded "Tell the customer.", got "Tell them."',
    async () => {
      await order({ id: 'A-1' });
      await carrier({ id: 'A-1' });
      await wording('Tell them.');
    },
  ],
  [
    'drops a call',
    'reordered',
    "call #2: expected tool 'carrier' but the agent called LLM 'acme/small-1'",
    async () => {
      await order({ id: 'A-1' });
      await wording('Tell the customer.');
      return notify({ to: 'ada' });
    },
  ],
  [
    'drops the last call',
    'missing_call',
    "recorded call #4 tool 'notify' never came",
    async () => {
      await order({ id: 'A-1' });
      await carrier({ id: 'A-1' });
      await wording('Tell the customer.');
    },
  ],
  [
    'adds a call',
    'unexpected_call',
    "call #2: expected tool 'carrier' but the agent called 'refund'",
    async () => {
      await order({ id: 'A-1' });
      await refund({ id: 'A-1' });
      await carrier({ id: 'A-1' });
    },
  ],
  [
    'makes a call twice',
    'unexpected_call',
    "call #2: expected tool 'carrier' but the agent called 'order_status'",
    async () => {
      await order({ id: 'A-1' });
      await order({ id: 'A-1' });
    },
  ],
  [
    'adds a call at the end',
    'unexpected_call',
    "call #5: tool 'notify' was called, but the recording holds no further call",
    async () => {
      await agent();
      return notify({ to: 'bob' });
    },
  ],
  [
    'takes a synchronous call to the front',
    'reordered',
    "call #1: expected tool 'order_status' but the agent called 'notify'",
    async () => {
      notify({ to: 'ada' });
      return agent();
    },
  ],
];

describe('an agent that', () => {
  it.each(CHANGES)('%s diverges, and the message names the call', async (_change, code, message, changed) => {
    const report = await replay(await recordRun(agent), asAgent(changed));
    expect(report.verdict).toBe('diverged');
    expect(report.divergence).toMatchObject({ code, message });
    expect(report.counts.executed).toBe(0);
    expect(() => assertReplay(report, { output: 'any' })).toThrow(message);
    expect(formatReport(report)).toContain(`  diverged   ${message} (${code})`);
  });

  it('is unchanged matches', async () => {
    const report = await replay(await recordRun(agent), asAgent(agent));
    expect(report).toMatchObject({ verdict: 'matched', divergence: null, notes: [] });
    expect(() => assertReplay(report)).not.toThrow();
  });

  it('swallows the divergence and goes on as recorded has diverged all the same', async () => {
    const report = await replay(
      await recordRun(agent),
      asAgent(async () => {
        await order({ id: 'A-2' }).catch(() => null);
        return agent().catch(() => 'told ada');
      }),
    );
    expect(report).toMatchObject({ verdict: 'diverged', output: 'told ada', facets: { output: 'matched' } });
    expect(report.divergence).toMatchObject({ position: 1, name: 'order_status' });
  });
});
