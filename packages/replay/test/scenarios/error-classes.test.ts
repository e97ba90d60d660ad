import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { asAgent, recordRun } from '../recording.js';

let constructed = 0;

class RateLimitError extends Error {
  override readonly name = 'RateLimit';
  readonly #secret: number;

  constructor(readonly retryAfter: number) {
    super('too many requests');
    this.#secret = retryAfter;
    constructed++;
  }

  get wait(): string {
    return `${this.retryAfter} s`;
  }

  get secret(): number {
    return this.#secret;
  }
}

class GatewayError extends Error {
  constructor(cause: unknown) {
    super('bad gateway', { cause });
    constructed++;
  }
}

/** What the agent sees of what was thrown, in the recording and in the replay. */
async function seenBy(call: () => unknown): Promise<readonly unknown[]> {
  const caught: unknown[] = [];
  const agent = async () => {
    try {
      await call();
    } catch (error) {
      caught.push(error);
    }
  };
  const path = await recordRun(agent);
  constructed = 0;
  const report = await replay(path, asAgent(agent));
  expect(report).toMatchObject({ verdict: 'matched', divergence: null });
  expect(constructed).toBe(0);
  return caught;
}

describe('a recorded error', () => {
  const limited = async (): Promise<never> => {
    throw new RateLimitError(7);
  };

  it('is an instance of its class again, with its fields, though no constructor runs', async () => {
    const tool = traceTool({ name: 'limited', errors: [GatewayError, RateLimitError] }, limited);
    const [before, after] = (await seenBy(tool)) as [RateLimitError, RateLimitError];
    expect(after).toBeInstanceOf(RateLimitError);
    expect(after).not.toBe(before);
    expect([after.name, after.message, after.retryAfter, after.wait]).toEqual([
      'RateLimit',
      'too many requests',
      7,
      '7 s',
    ]);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after.stack).toContain('too many requests');
  });

  it('of a model is one, too, and so is its cause', async () => {
    const ask = () =>
      llmRequest({
        model: 'm',
        input: {},
        errors: [RateLimitError, GatewayError],
        call: async () => {
          throw new GatewayError({ attempts: [new RateLimitError(1)], last: new RateLimitError(2) });
        },
      });
    const [, after] = (await seenBy(ask)) as [unknown, GatewayError];
    expect(after).toBeInstanceOf(GatewayError);
    const { attempts, last } = after.cause as { attempts: unknown[]; last: RateLimitError };
    expect(attempts[0]).toBeInstanceOf(RateLimitError);
    expect(last.retryAfter).toBe(2);
  });

  it('that ends a stream is one, too', async () => {
    const feed = traceTool({ name: 'feed', errors: [RateLimitError] }, async function* () {
      yield 1;
      throw new RateLimitError(3);
    });
    const [, after] = await seenBy(async () => {
      for await (const _chunk of feed());
    });
    expect(after).toBeInstanceOf(RateLimitError);
  });

  it('whose class is not given is an error of its name', async () => {
    const tool = traceTool({ name: 'limited', errors: [GatewayError] }, limited);
    const [, after] = (await seenBy(tool)) as [unknown, RateLimitError];
    expect(after).not.toBeInstanceOf(RateLimitError);
    expect([after.name, after.retryAfter]).toEqual(['RateLimit', 7]);
  });
});
