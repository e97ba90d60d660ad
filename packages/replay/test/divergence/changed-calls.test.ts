import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { assertReplay, type ReplayReport, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

const lookup = traceTool('lookup_service_health', async (input: { service: string }) => ({
  up: input.service !== 'db',
}));
const deployments = traceTool('get_recent_deployments', async (input: { window_minutes: number }) => [input]);
const page = traceTool('page_oncall', (input: { who: string }) => `paged ${input.who}`);

async function agent(): Promise<unknown> {
  const health = await lookup({ service: 'db' });
  const recent = await deployments({ window_minutes: 60 });
  return { health, recent, page: page({ who: 'ann' }) };
}

async function replayed(changed: () => unknown): Promise<ReplayReport> {
  return replay(await recordRun(agent), asAgent(changed));
}

describe('a changed agent', () => {
  it('that swaps two calls diverges at the first of them', async () => {
    const report = await replayed(async () => {
      await deployments({ window_minutes: 60 });
      await lookup({ service: 'db' });
      page({ who: 'ann' });
    });
    expect(report.verdict).toBe('diverged');
    expect(report.divergence).toMatchObject({
      code: 'reordered',
      position: 1,
      kind: 'tool',
      name: 'get_recent_deployments',
      message: "call #1: expected tool 'lookup_service_health' but the agent called 'get_recent_deployments'",
      recorded: { name: 'lookup_service_health', index: 0 },
      actual: { name: 'get_recent_deployments', index: null },
    });
    expect(report.divergence?.callSite).toMatch(/changed-calls\.test\.ts:\d+:\d+$/);
  });

  it('that changes an argument diverges there, with the place and both values', async () => {
    const report = await replayed(async () => {
      await lookup({ service: 'db' });
      await deployments({ window_minutes: 120 });
    });
    expect(report.divergence).toMatchObject({
      code: 'input_changed',
      position: 2,
      message:
        "call #2: tool 'get_recent_deployments' was called with another input: at 'window_minutes' recorded 60, got 120",
      differences: [{ path: 'window_minutes', kind: 'changed', recorded: 60, actual: 120 }],
    });
    expect(report.counts).toEqual({ recorded: 3, substituted: 1, executed: 0 });
  });

  it('that drops a call diverges at the next one', async () => {
    const report = await replayed(async () => {
      await deployments({ window_minutes: 60 });
      page({ who: 'ann' });
    });
    expect(report.divergence).toMatchObject({
      code: 'reordered',
      message: "call #1: expected tool 'lookup_service_health' but the agent called 'get_recent_deployments'",
    });
  });

  it('that drops the last calls diverges when it is over', async () => {
    const report = await replayed(async () => {
      await lookup({ service: 'db' });
    });
    expect(report.divergence).toMatchObject({
      code: 'missing_call',
      position: 2,
      name: 'get_recent_deployments',
      actual: null,
      message: "recorded call #2 tool 'get_recent_deployments' never came, nor did #3 tool 'page_oncall'",
    });
    expect(report.facets).toEqual({ execution: 'completed', dependencies: 'diverged', output: 'changed' });
  });

  it('that adds a call at the end diverges there', async () => {
    const report = await replayed(async () => {
      await agent();
      page({ who: 'bob' });
    });
    expect(report.divergence).toMatchObject({
      code: 'unexpected_call',
      position: 4,
      message: "call #4: tool 'page_oncall' was called, but the recording holds no further call",
    });
  });

  it('that adds a call of another tool in between diverges there', async () => {
    const other = traceTool('other', async () => 1);
    const report = await replayed(async () => {
      await lookup({ service: 'db' });
      await other();
    });
    expect(report.divergence?.message).toBe(
      "call #2: expected tool 'get_recent_deployments' but the agent called 'other'",
    );
  });

  it('that makes an identical call once more diverges', async () => {
    const report = await replayed(async () => {
      await lookup({ service: 'db' });
      await lookup({ service: 'db' });
    });
    expect(report.divergence).toMatchObject({ code: 'unexpected_call', position: 2 });
  });

  it('diverges for good, though it swallows the error', async () => {
    const report = await replayed(async () => {
      await lookup({ service: 'cache' }).catch(() => null);
      return agent().catch(() => null);
    });
    expect(report.divergence).toMatchObject({ code: 'input_changed', position: 1 });
    expect(report.facets.execution).toBe('completed');
    expect(report.calls.map(({ action }) => action)).toEqual(['refused', 'refused']);
    expect(() => assertReplay(report)).toThrow(/call #1/);
  });

  it('gets an error with a code from the call at which it diverged and from every later one', async () => {
    const codes: unknown[] = [];
    const codeOf = (error: unknown): void => {
      codes.push((error as { code: unknown }).code);
    };
    await replayed(async () => {
      await lookup({ service: 'cache' }).catch(codeOf);
      await lookup({ service: 'db' }).catch(codeOf);
      try {
        page({ who: 'ann' });
      } catch (error) {
        codeOf(error);
      }
    });
    expect(codes).toEqual(['replay_divergence', 'replay_divergence', 'replay_divergence']);
  });

  it('that asks another model diverges', async () => {
    const ask = (model: string) => llmRequest({ provider: 'acme', model, input: 'hi', call: async () => 'hello' });
    const path = await recordRun(() => ask('small'));
    const report = await replay(
      path,
      asAgent(() => ask('large')),
    );
    expect(report.divergence?.message).toBe("call #1: expected LLM 'acme/small' but the agent called 'acme/large'");
  });

  it('that swaps two synchronous calls diverges at the first of them', async () => {
    const path = await recordRun(() => [page({ who: 'ann' }), page({ who: 'bob' })]);
    const report = await replay(
      path,
      asAgent(() => [page({ who: 'bob' }), page({ who: 'ann' })]),
    );
    expect(report.divergence).toMatchObject({
      code: 'reordered',
      position: 1,
      message: 'call #1: tool \'page_oncall\' was called with another input: at \'who\' recorded "ann", got "bob"',
    });
  });

  it('that serialises what ran in parallel diverges, and not under order any', async () => {
    const slow = traceTool('slow', async (n: number) => {
      await sleep(5);
      return n;
    });
    const path = await recordRun(() => Promise.all([slow(1), slow(2)]));
    const serial = asAgent(async () => [await slow(1), await slow(2)]);
    const report = await replay(path, serial);
    expect(report.divergence).toMatchObject({
      code: 'reordered',
      message: `call #2: expected tool 'slow' with {"args":[2]} while tool 'slow' with {"args":[1]} was going on, but no call came`,
    });
    expect((await replay(path, serial, { order: 'any' })).verdict).toBe('matched');
  });

  it('that parallelises what ran one after the other matches: each call got its own answer', async () => {
    const path = await recordRun(async () => [await lookup({ service: 'a' }), await lookup({ service: 'db' })]);
    const report = await replay(
      path,
      asAgent(() => Promise.all([lookup({ service: 'a' }), lookup({ service: 'db' })])),
    );
    expect(report.verdict).toBe('matched');
  });

  it('that parallelises identical calls with different answers is told so', async () => {
    let n = 0;
    const poll = traceTool('poll', async () => n++);
    const path = await recordRun(async () => [await poll(), await poll()]);
    const report = await replay(
      path,
      asAgent(() => Promise.all([poll(), poll()])),
    );
    expect(report.ambiguous).toHaveLength(1);
  });
});

describe('order strict', () => {
  const first = traceTool('first', async () => sleep(1));
  const second = traceTool('second', async () => sleep(1));

  it('takes calls in recorded order only', async () => {
    const path = await recordRun(() => Promise.all([first(), second()]));
    const same = await replay(
      path,
      asAgent(() => Promise.all([first(), second()])),
      { order: 'strict' },
    );
    expect(same.verdict).toBe('matched');
    const swapped = asAgent(() => Promise.all([second(), first()]));
    expect((await replay(path, swapped)).verdict).toBe('matched');
    expect((await replay(path, swapped, { order: 'strict' })).divergence?.message).toBe(
      "call #1: expected tool 'first' but the agent called 'second'",
    );
  });
});

describe('an agent that tries again for ever', () => {
  it('without a wait of its own does not keep the replay from ending', async () => {
    let isWanted = true;
    const report = await replay(
      await recordRun(agent),
      asAgent(async () => {
        while (isWanted) {
          try {
            return await lookup({ service: 'another' });
          } catch {}
        }
        return null;
      }),
      { noProgressMs: 100 },
    );
    isWanted = false;
    expect(report.facets).toMatchObject({ execution: 'stalled', dependencies: 'diverged' });
    expect(report.divergence).toMatchObject({ code: 'input_changed', name: 'lookup_service_health' });
    // The report holds the first refusals, not all of them.
    expect(report.calls.length).toBeLessThanOrEqual(1_000);
  });
});

describe('a tool that makes calls of its own', () => {
  const charge = traceTool('charge_card', async (amount: number) => `charged ${amount}`);
  const checkout = traceTool('checkout', async (amount: number) => await charge(amount));

  it('does not lend them to an agent that makes one more when it is over', async () => {
    const report = await replay(
      await recordRun(() => checkout(5)),
      asAgent(async () => {
        const receipt = await checkout(5);
        await charge(5);
        return receipt;
      }),
    );
    expect(report.verdict).toBe('diverged');
    expect(report.divergence).toMatchObject({ code: 'unexpected_call', position: 2, name: 'charge_card' });
    expect(report.counts).toMatchObject({ recorded: 1, substituted: 1 });
  });
});

describe('an agent that never ends', () => {
  it('is stalled also where it loops over setImmediate', async () => {
    let isWanted = true;
    const loop = async (): Promise<void> => {
      await lookup({ service: 'db' });
      while (isWanted) await new Promise((resolve) => setImmediate(resolve));
    };
    const recording = await recordRun(async () => void (await lookup({ service: 'db' })));
    const report = await replay(recording, asAgent(loop), { noProgressMs: 100 });
    isWanted = false;
    expect(report.facets).toMatchObject({ execution: 'stalled', dependencies: 'matched' });
  });
});

describe('an error that carries what cannot be recorded', () => {
  class ApiError extends Error {
    readonly status = 429;
    readonly headers = new Headers({ 'retry-after': '1' });
    readonly request = { body: 'x', retry: () => {} };
  }

  it('is thrown again without it, and the report says so', async () => {
    const ask = traceTool('ask', async (): Promise<string> => {
      throw new ApiError('slow down', {
        cause: Object.assign(new Error('limit'), { socket: new (class Socket {})() }),
      });
    });
    const seen: unknown[] = [];
    const careful = async (): Promise<unknown> => {
      try {
        return await ask();
      } catch (error) {
        const { status, message, cause } = error as ApiError;
        seen.push([status, message, (cause as Error).message]);
        return status;
      }
    };
    const report = await replay(await recordRun(careful), asAgent(careful));
    expect(report.verdict).toBe('matched');
    expect(seen[1]).toEqual(seen[0]);
    expect(report.notes).toEqual([
      "tool 'ask' (call #1) threw its error without what could not be recorded: cause.socket, headers, request",
    ]);
  });
});
