import { llmRequest, record } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { afterEach, expect, test, vi } from 'vitest';
import { recordedStart } from '../../src/clock/recorded-start.js';
import { bundlePath } from '../recording.js';
import { timedRun } from './run.js';

const { TZ } = process.env;

afterEach(() => {
  vi.useRealTimers();
  moveTo(TZ);
});

function moveTo(timeZone: string | undefined): void {
  if (timeZone === undefined) delete process.env.TZ;
  else process.env.TZ = timeZone;
}

/** An agent that tells the model what day it is, in some of the ways in which agents do. */
function prompt(): readonly string[] {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  return [
    `Today is ${now.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' })}.`,
    `Today is ${now.toDateString()}, tomorrow ${day.toDateString()}.`,
    `The user's time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone} (${now.getTimezoneOffset()}).`,
    `It is ${new Intl.DateTimeFormat('en-GB', { hour: '2-digit' }).format()}.`,
    `The day began at ${midnight.toISOString()} and the quarter in month ${Math.floor(now.getMonth() / 3) * 3 + 1}.`,
    `Weekday ${now.getDay()}, ${String(now).slice(0, 15)}`,
  ];
}

test('the prompt of a recorded run is the same a year later and on the other side of the world', async () => {
  moveTo('Asia/Tokyo');
  const output = bundlePath();
  let there = prompt();
  await record('agent', { output }, () => {
    there = prompt();
    return llmRequest({ provider: 'fake', model: 'm', input: there, call: () => 'Good morning.' });
  });
  const { startMs, timeZone } = recordedStart(loadTrace(output));
  expect(timeZone).toBe('Asia/Tokyo');

  moveTo('America/Los_Angeles');
  vi.useFakeTimers({ now: startMs + 400 * 86_400_000 });
  expect(prompt()).not.toEqual(there);
  const { inside } = timedRun({ start: new Date(startMs).toISOString(), timeZone: 'Asia/Tokyo' });
  expect(inside(prompt)).toEqual(there);
});
