import { afterEach, expect, test, vi } from 'vitest';
import { timedRun } from './run.js';

const START = '2025-03-03T20:15:30.250Z';
const RUN = { start: START, timeZone: 'Asia/Katmandu' };
const FAKE = '1999-12-31T23:00:00.000Z';
const NativeDate = Date;
const nativeNow = performance.now;

afterEach(() => void vi.useRealTimers());

const now = (): string => new Date().toISOString();

/** What code may learn of the time. */
const allNow = (): readonly unknown[] => [
  new Date(Date.now()).toISOString(),
  now(),
  new Date(performance.timeOrigin + performance.now()).toISOString(),
  new Intl.DateTimeFormat('sv', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'short' }).format(),
];
const RECORDED = [START, START, START, '2025-03-03 20:15'];

test('fake timers that are on do not reach into the run, nor the run into them', () => {
  vi.useFakeTimers({ now: new Date(FAKE) });
  const FakeDate = Date;
  const { inside, end } = timedRun(RUN);
  expect(inside(allNow)).toEqual(RECORDED);
  expect(now()).toBe(FAKE);
  vi.setSystemTime('2001-01-01T00:00:00.000Z');
  expect(now()).toBe('2001-01-01T00:00:00.000Z');
  expect(inside(allNow)).toEqual(RECORDED);
  let isRung = false;
  inside(() => setTimeout(() => (isRung = true), 60_000));
  vi.advanceTimersByTime(60_000);
  expect([isRung, now()]).toEqual([true, '2001-01-01T00:01:00.000Z']);
  end();
  expect(Date).toBe(FakeDate);
  vi.useRealTimers();
  expect([Date, performance.now, new Date().constructor]).toEqual([NativeDate, nativeNow, NativeDate]);
});

test('a date that is set without fake timers does not reach into the run', () => {
  vi.setSystemTime(FAKE);
  const FakeDate = Date;
  const { inside, end } = timedRun(RUN);
  expect(inside(() => [now(), new Date().getHours(), new Date() instanceof Date])).toEqual([START, 2, true]);
  expect(now()).toBe(FAKE);
  end();
  expect([Date, now()]).toEqual([FakeDate, FAKE]);
});

test('fake timers that are put on during the run count, and outlive it', () => {
  const first = timedRun(RUN);
  vi.useFakeTimers({ now: new Date(FAKE) });
  const FakeDate = Date;
  expect([first.inside(now), now()]).toEqual([FAKE, FAKE]);
  first.end();
  expect([Date, now()]).toEqual([FakeDate, FAKE]);
  // They now bring back what they found, which has nothing to say any more,
  vi.useRealTimers();
  expect(Math.abs(NativeDate.now() - Date.now())).toBeLessThan(60_000);
  expect(first.inside(now)).not.toBe(START);
  expect(new Date().constructor).toBe(NativeDate);
  // and goes with the next replay.
  const second = timedRun(RUN);
  expect(second.inside(allNow)).toEqual(RECORDED);
  second.end();
  expect([Date, performance.now]).toEqual([NativeDate, nativeNow]);
});

test('fake timers that are taken off during the run leave the native clock behind', () => {
  vi.useFakeTimers({ now: new Date(FAKE) });
  const { end } = timedRun(RUN);
  vi.useRealTimers();
  expect(now()).not.toBe(FAKE);
  end();
  expect([Date, performance.now, new Date().constructor]).toEqual([NativeDate, nativeNow, NativeDate]);
});
