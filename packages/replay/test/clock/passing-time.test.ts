import { expect, test } from 'vitest';
import { sleep } from '../recording.js';
import { timedRun } from './run.js';

const START = '2025-03-03T20:15:30.250Z';
const startMs = Date.parse(START);
const elapsed = (): number => Date.now() - startMs;

test('the clock steps to the time of each recorded event, and never back', () => {
  const { inside, advanceTo } = timedRun({ start: START });
  const seen = [0, 1_500, 1_200, 90_000].map((time) => {
    advanceTo(time);
    return inside(elapsed);
  });
  expect(seen).toEqual([0, 1_500, 1_500, 90_000]);
});

test('a date that is given in place of the recorded one passes as the recorded one did', () => {
  const { inside, advanceTo } = timedRun({ start: START, now: new Date('2040-02-29T12:00:00Z') });
  advanceTo(61_000);
  expect(inside(() => new Date().toISOString())).toBe('2040-02-29T12:01:01.000Z');
});

test('it stands still while the code computes', () => {
  const { inside } = timedRun({ start: START });
  const seen = inside(() => {
    for (const end = performance.now() + 0.05; performance.now() < end; );
    return Array.from({ length: 50 }, elapsed);
  });
  expect(new Set(seen)).toEqual(new Set([0]));
});

test('a loop that sleeps until a deadline ends', async () => {
  const { inside } = timedRun({ start: START });
  await inside(async () => {
    const deadline = Date.now() + 25;
    while (Date.now() < deadline) await sleep(5);
    expect(elapsed()).toBeGreaterThanOrEqual(25);
  });
});

test('an interval that looks at the clock until a deadline ends', async () => {
  const { inside } = timedRun({ start: START });
  await inside(
    () =>
      new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (elapsed() < 20) return;
          clearInterval(timer);
          resolve();
        }, 5);
      }),
  );
});

test('a loop that does nothing but look at the clock ends', () => {
  const { inside } = timedRun({ start: START, next: () => 0 });
  inside(() => {
    while (elapsed() < 20);
    expect(elapsed()).toBeGreaterThanOrEqual(20);
  });
});

test('while the run waits, the clock does not come to what the recording has next', async () => {
  const { inside, advanceTo } = timedRun({ start: START, next: () => 7 });
  await inside(() => sleep(20));
  expect(inside(elapsed)).toBeLessThanOrEqual(7);
  advanceTo(7);
  expect(inside(elapsed)).toBe(7);
});
