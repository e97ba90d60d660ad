import { llmRequest, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { type ReplayOptions, replay } from '../../src/index.js';
import { asAgent, recordRun, sleep } from '../recording.js';

/** Answers after so long, or gives up with its signal's reason, as `fetch` does. */
const search = traceTool('search', (words: string, ms: number, { signal }: { readonly signal?: AbortSignal }) => {
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => resolve(`found ${words}`), ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
});

const nameOf = (thrown: unknown): string => (thrown as Error).name;

/** Gives up after so long; not at all for null. */
const patientFor = (ms: number | null, reason?: Error) => async (): Promise<string> => {
  const controller = new AbortController();
  const timer = ms === null ? undefined : setTimeout(() => controller.abort(reason), ms);
  try {
    return await search('cats', 60, { signal: controller.signal });
  } catch (thrown) {
    return nameOf(thrown);
  } finally {
    clearTimeout(timer);
  }
};

const timeoutOf = (ms: number) => (): Promise<string> =>
  search('cats', 60, { signal: AbortSignal.timeout(ms) }).catch(nameOf);

/** Takes the first answer, and gives up the others. */
const race = async (): Promise<string> => {
  const controller = new AbortController();
  const { signal } = controller;
  const all = [search('slow', 80, { signal }), search('fast', 10, { signal })];
  const first = await Promise.race(all);
  controller.abort();
  return [first, ...(await Promise.allSettled(all)).map(({ status }) => status)].join();
};

async function replayed(recorded: () => unknown, live: () => unknown, options: ReplayOptions = {}) {
  return replay(await recordRun(recorded), asAgent(live), { noProgressMs: 3_000, ...options });
}

describe('a call that was given up in the recording', () => {
  it.each([
    ['by a timer', patientFor(15)],
    ['for a reason of its own', patientFor(15, new TypeError('enough'))],
    ['by a timeout of the platform', timeoutOf(15)],
    ['since another was faster', race],
  ])('is given up again, %s', async (_, agent) => {
    const report = await replayed(agent, agent);
    expect([report.verdict, report.notes]).toEqual(['matched', []]);
  });

  it.each([
    ['later', patientFor(15), patientFor(60_000)],
    ['never', patientFor(15), patientFor(null)],
    ['never, where the reason was its own', patientFor(15, new TypeError('enough')), patientFor(null)],
    ['later, by a timeout of the platform', timeoutOf(15), timeoutOf(60_000)],
  ])('has no answer where the agent gives it up %s', async (_, recorded, live) => {
    const report = await replayed(recorded, live);
    expect(report.divergence).toMatchObject({ code: 'unservable', position: 1, name: 'search' });
    expect(report.divergence?.message).toMatch(/was aborted before it answered, in the recording; here it was not/);
    expect(report.divergence?.callSite).toMatch(/abort\.test\.ts/);
  });

  it('is answered at once where order is no matter', async () => {
    expect((await replayed(patientFor(15), patientFor(15), { order: 'any' })).verdict).toBe('matched');
  });

  it.each([
    ['ends its sleeps', { skipSleeps: true }],
    ['keeps a strict order', { order: 'strict' }],
  ] as const)('is given up in a replay that %s', async (_, options) => {
    expect((await replayed(patientFor(15), patientFor(15), options)).verdict).toBe('matched');
    expect((await replayed(patientFor(15), patientFor(null), options)).divergence?.code).toBe('unservable');
  });

  it('and answered all the same is waited for until it is given up', async () => {
    const deaf = traceTool('deaf', async (_signal: AbortSignal) => {
      await sleep(40);
      return 'done';
    });
    const agent = (ms: number | null) => async (): Promise<string> => {
      const controller = new AbortController();
      if (ms !== null) setTimeout(() => controller.abort(), ms);
      return `${await deaf(controller.signal)} ${controller.signal.aborted}`;
    };
    expect(await replayed(agent(10), agent(10))).toMatchObject({ verdict: 'matched', notes: [] });
    expect((await replayed(agent(10), agent(null))).divergence?.code).toBe('unservable');
  });

  it('may be one to a model', async () => {
    const agent = (ms: number | null) => (): Promise<string> => {
      const signal = ms === null ? new AbortController().signal : AbortSignal.timeout(ms);
      const call = async (): Promise<string> => {
        await sleep(40);
        signal.throwIfAborted();
        return 'hello';
      };
      return llmRequest({ model: 'm', input: 'hi', signal, call }).catch(nameOf);
    };
    expect((await replayed(agent(10), agent(10))).verdict).toBe('matched');
    expect((await replayed(agent(10), agent(null))).divergence?.code).toBe('unservable');
  });

  it('may have been a stream by then', async () => {
    const words = traceTool('words', async function* (signal: AbortSignal) {
      for (let i = 0; ; i++) {
        await sleep(8);
        signal.throwIfAborted();
        yield i;
      }
    });
    const agent = (isPatient: boolean) => async (): Promise<unknown[]> => {
      const controller = new AbortController();
      const heard: unknown[] = [];
      try {
        for await (const word of words(controller.signal)) {
          heard.push(word);
          if (heard.length === 3 && !isPatient) controller.abort();
        }
      } catch (thrown) {
        heard.push(nameOf(thrown));
      }
      return heard;
    };
    expect(await replayed(agent(false), agent(false))).toMatchObject({ verdict: 'matched', notes: [] });
    expect((await replayed(agent(false), agent(true))).divergence?.code).toBe('unservable');
  });
});

describe('a call that is given up in the replay alone', () => {
  it('is told of', async () => {
    const agent = (isHasty: boolean) => async (): Promise<string> => {
      const controller = new AbortController();
      const answer = search('cats', 20, { signal: controller.signal });
      if (isHasty) controller.abort();
      return answer.catch(nameOf);
    };
    const { notes } = await replayed(agent(false), agent(true));
    expect(notes.join()).toMatch(/^tool 'search' \(call #1\) was aborted before its answer came, which it was not/);
  });
});
