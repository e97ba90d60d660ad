import { llmRequest, record, traceTool } from '@stepfork/recorder';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { replay } from '../../src/index.js';
import { bundlePath, sleep } from '../recording.js';

const { TZ } = process.env;
const NativeDate = Date;

const look = traceTool('look', async (input: { day: string }) => {
  await sleep(40);
  return input.day;
});

/** It waits by the clock, tells tools and models what day it is, and measures how long a call took. */
const agent = (): Promise<unknown> =>
  record('agent', async () => {
    for (const end = Date.now() + 60; Date.now() < end; ) await sleep(5);
    const before = Date.now();
    await look({ day: new Date().toDateString() });
    const wasSlow = Date.now() - before > 20;
    await sleep(20);
    const day = new Date().toLocaleDateString('en', { weekday: 'long' });
    return llmRequest({ provider: 'p', model: 'm', input: `Today is ${day}. ${wasSlow}`, call: async () => 'ok' });
  });

let bundle = '';

beforeEach(async () => {
  process.env.TZ = 'Pacific/Kiritimati';
  bundle = bundlePath();
  await record('agent', { output: bundle }, agent);
  process.env.TZ = 'America/Los_Angeles';
});

afterEach(() => {
  vi.useRealTimers();
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test('a run that knows what day it is replays in another time zone', async () => {
  expect(await replay(bundle, agent)).toMatchObject({ verdict: 'matched' });
  expect(Date).toBe(NativeDate);
});

test('and a year later, whichever way the date was set', async () => {
  const later = NativeDate.now() + 400 * 86_400_000;
  vi.useFakeTimers({ now: later, toFake: ['Date', 'performance'] });
  const FakeDate = Date;
  expect(await replay(bundle, agent)).toMatchObject({ verdict: 'matched' });
  expect(Date).toBe(FakeDate);
  vi.useRealTimers();
  vi.setSystemTime(later);
  expect(await replay(bundle, agent)).toMatchObject({ verdict: 'matched' });
});

test('with the real clock, or with another date, the change is found', async () => {
  expect(await replay(bundle, agent, { now: 'real' })).toMatchObject({ divergence: { code: 'input_changed' } });
  expect(await replay(bundle, agent, { now: new Date(0) })).toMatchObject({ divergence: { code: 'input_changed' } });
});
