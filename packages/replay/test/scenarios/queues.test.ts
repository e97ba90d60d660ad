import { record, traceTool } from '@stepfork/recorder';
import Bottleneck from 'bottleneck';
import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import PQueue from 'p-queue';
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { bundlePath, sleep } from '../recording.js';

const RECORDINGS = process.env.STEPFORK_FULL === '1' ? 20 : 3;
const page = traceTool('page', async (n: number) => {
  await sleep(Math.random() * 8);
  return `page ${n}`;
});
const PAGES = Array.from({ length: 8 }, (_, n) => n);

/** Made for each run, as agents make them, or once for all, as modules do. */
const queues: readonly (readonly [string, () => (n: number) => Promise<unknown>])[] = [
  ['p-limit', () => through(pLimit(3))],
  ['p-limit of a module', () => sharedLimit],
  ['p-queue', () => inQueue(new PQueue({ concurrency: 3 }))],
  ['p-queue of a module', () => sharedQueue],
  ['bottleneck', () => inBottleneck(new Bottleneck({ maxConcurrent: 3 }))],
  [
    'DataLoader',
    () => {
      const loader = new DataLoader((keys: readonly number[]) => Promise.all(keys.map((n) => page(n))));
      return (n) => loader.load(n);
    },
  ],
];
const through = (limit: ReturnType<typeof pLimit>) => (n: number) => limit(() => page(n));
const inQueue = (queue: PQueue) => (n: number) => queue.add(() => page(n));
const inBottleneck = (limiter: Bottleneck) => (n: number) => limiter.schedule(() => page(n));
const sharedLimit = through(pLimit(3));
const sharedQueue = inQueue(new PQueue({ concurrency: 3 }));

describe('an agent whose calls go through a queue', () => {
  it.each(queues)(
    'of %s replays as recorded',
    async (_name, make) => {
      const agent = async (): Promise<unknown[]> => {
        const load = make();
        return Promise.all(PAGES.map(load));
      };
      for (let time = 0; time < RECORDINGS; time++) {
        const output = bundlePath();
        await record('agent', { output }, agent);
        const report = await replay(output, () => record('agent', agent));
        expect(report, JSON.stringify(report.divergence)).toMatchObject({
          verdict: 'matched',
          counts: { recorded: PAGES.length, executed: 0 },
        });
      }
    },
    60_000,
  );
});
