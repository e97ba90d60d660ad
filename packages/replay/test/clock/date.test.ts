import { types } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { timedRun } from './run.js';

const START = '2025-03-03T20:15:30.250Z';
const KATHMANDU = { start: START, timeZone: 'Asia/Katmandu' };
const startMs = Date.parse(START);

describe('inside the run', () => {
  test('Date gives the time at which the recording began', () => {
    const { inside } = timedRun(KATHMANDU);
    expect(inside(() => [Date.now(), Date.now(), new Date().toISOString()])).toEqual([startMs, startMs, START]);
  });

  test('local methods, texts and formatters use the recorded time zone', () => {
    const { inside } = timedRun(KATHMANDU);
    inside(() => {
      const now = new Date();
      expect([now.getDate(), now.getHours(), now.getMinutes(), now.getDay()]).toEqual([4, 2, 0, 2]);
      expect(`${now}`).toBe('Tue Mar 04 2025 02:00:30 GMT+0545 (Nepal Time)');
      expect(Date()).toBe(`${now}`);
      expect(now.toLocaleDateString('en-US', { weekday: 'long' })).toBe('Tuesday');
      expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe('Asia/Katmandu');
      expect(Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format()).toBe('Mar 4, 2025');
    });
  });

  test('a formatter without a date formats the time of the run, by format and by formatToParts', () => {
    const { inside } = timedRun(KATHMANDU);
    const made = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'UTC' });
    inside(() => {
      const { format } = made;
      expect([format(), made.format(), made.formatToParts().map(({ value }) => value)]).toEqual([
        '2025',
        '2025',
        ['2025'],
      ]);
      expect(made.format(new Date(0))).toBe('1970');
      expect(made.format).toBe(format);
    });
  });

  test('a time zone that the code names is the one that counts', () => {
    const { inside } = timedRun(KATHMANDU);
    inside(() => {
      const options = { timeZone: 'America/New_York', hour: 'numeric' } as const;
      expect(new Date().toLocaleTimeString('en', options)).toBe('3 PM');
      expect(new Intl.DateTimeFormat('en', options).resolvedOptions().timeZone).toBe('America/New_York');
      expect(() => new Date().toLocaleString('en', null as never)).toThrow(TypeError);
    });
  });

  test('times that are written without a zone are local ones', () => {
    const { inside } = timedRun(KATHMANDU);
    inside(() => {
      expect(new Date(2025, 0, 1).toISOString()).toBe('2024-12-31T18:15:00.000Z');
      expect(Date.parse('2025-01-01T00:00')).toBe(new Date(2025, 0, 1).getTime());
      expect(new Date('Jan 1, 2025').getTime()).toBe(new Date(2025, 0, 1).getTime());
      expect(
        new Date({ toString: () => '2025-01-01T00:00', valueOf: Object.prototype.valueOf } as never).getTime(),
      ).toBe(new Date(2025, 0, 1).getTime());
      expect(new Date('2025-01-01').toISOString()).toBe('2025-01-01T00:00:00.000Z');
      expect(new Date(new Date(5)).getTime()).toBe(5);
      expect(new Date(Object(5)).getTime()).toBe(5);
    });
  });

  test('a date is a Date: to instanceof, its constructor, subclasses, clones and JSON', () => {
    const { inside } = timedRun(KATHMANDU);
    inside(() => {
      class Deadline extends Date {
        readonly isFar = true;
      }
      const now = new Date();
      const deadline = new Deadline();
      expect(now.constructor).toBe(Date);
      expect(Object.getPrototypeOf(now)).toBe(Date.prototype);
      expect([now, deadline].every((date) => date instanceof Date && types.isDate(date))).toBe(true);
      expect(deadline).toBeInstanceOf(Deadline);
      expect([deadline.getTime(), deadline.isFar, deadline.getHours()]).toEqual([startMs, true, 2]);
      expect(Object.prototype.toString.call(now)).toBe('[object Date]');
      expect(structuredClone(now)).toEqual(now);
      expect(structuredClone(now)).toBeInstanceOf(Date);
      expect(JSON.stringify({ now })).toBe(`{"now":"${START}"}`);
      expect([Date.length, Date.name, Date.UTC(2025)]).toEqual([7, 'Date', 1735689600000]);
      expect(`${Date}`).toContain('[native code]');
      expect(() => Reflect.apply(Date.prototype.getHours, {}, [])).toThrow(TypeError);
      expect(() => new (Date.prototype.getHours as never as new () => unknown)()).toThrow(TypeError);
    });
  });

  test('performance agrees with Date and goes on from what was before the run', () => {
    const before = performance.now();
    const { inside, advanceTo } = timedRun(KATHMANDU);
    inside(() => {
      const [first, second] = [performance.now(), performance.now()];
      expect(first).toBeGreaterThan(before);
      expect(second).toBeGreaterThan(first);
      expect(Math.floor(performance.timeOrigin + performance.now())).toBe(startMs);
      advanceTo(2_000);
      expect(performance.now() - first).toBeGreaterThan(1_999);
    });
  });

  test('an invalid date stays one', () => {
    const { inside } = timedRun(KATHMANDU);
    inside(() => {
      const never = new Date(Number.NaN);
      expect([`${never}`, never.toDateString(), never.toTimeString()]).toEqual(Array(3).fill('Invalid Date'));
      expect([
        never.getHours(),
        never.getTimezoneOffset(),
        never.setHours(1),
        new Date(2025, Number.NaN).getTime(),
      ]).toEqual(Array(4).fill(Number.NaN));
      expect(never.setFullYear(2025)).toBe(new Date(2025, 0, 1).getTime());
    });
  });

  test.each([undefined, 'Middle/Nowhere', '<script>'])(
    'a recording of time zone %s replays in that of the process',
    (timeZone) => {
      const { inside } = timedRun({ start: START, ...(timeZone === undefined ? {} : { timeZone }) });
      const here = [new Date(startMs).toString(), new Date(2025, 0, 1).getTime()];
      expect(inside(() => [new Date().toString(), new Date(2025, 0, 1).getTime()])).toEqual(here);
      expect(inside(() => Date())).toBe(here[0]);
    },
  );
});

describe('outside the run', () => {
  test('nothing changes while it goes on', () => {
    const native = [
      Date.parse('2025-01-01T00:00'),
      `${new Date(0)}`,
      new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ];
    timedRun(KATHMANDU);
    expect([
      Date.parse('2025-01-01T00:00'),
      `${new Date(0)}`,
      new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ]).toEqual(native);
    expect(Date.now()).toBeGreaterThan(startMs + 1_000);
    expect(new Date().constructor).toBe(Date);
  });

  test('everything is as it was once the last run is over', () => {
    const snapshot = (): readonly unknown[] =>
      [
        globalThis,
        Date,
        Date.prototype,
        Intl,
        Intl.DateTimeFormat,
        Intl.DateTimeFormat.prototype,
        performance,
        Object.getPrototypeOf(performance),
      ].flatMap((object: object) =>
        Reflect.ownKeys(object)
          .filter((key) => object !== globalThis || key === 'Date' || typeof key === 'symbol')
          .map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]),
      );
    const [before, { Date: NativeDate }] = [snapshot(), globalThis];
    const [first, second] = [timedRun(KATHMANDU), timedRun({ start: START })];
    expect(Date).not.toBe(NativeDate);
    first.end();
    expect(second.inside(() => Date.now())).toBe(startMs);
    second.end();
    second.end();
    expect(Date).toBe(NativeDate);
    expect(snapshot()).toEqual(before);
    expect(new Date().constructor).toBe(NativeDate);
  });

  test('what the run left behind has the real time once it is over', () => {
    const [over, other] = [timedRun(KATHMANDU), timedRun(KATHMANDU)];
    over.end();
    expect(over.inside(() => Date.now())).toBeGreaterThan(startMs + 1_000);
    expect(other.inside(() => Date.now())).toBe(startMs);
  });

  test('the body of a call that really runs has the real time', () => {
    const { insideCall } = timedRun(KATHMANDU);
    expect(insideCall(() => Date.now())).toBeGreaterThan(startMs + 1_000);
  });

  test('a replay with the real clock installs nothing', () => {
    const { Date: NativeDate } = globalThis;
    const { inside } = timedRun({ ...KATHMANDU, now: 'real' });
    expect(Date).toBe(NativeDate);
    expect(inside(() => Date.now())).toBeGreaterThan(startMs + 1_000);
  });
});

test('two runs at once each have their own time and zone', async () => {
  const tokyo = timedRun({ start: '2020-01-01T00:00:00Z', timeZone: 'Asia/Tokyo' });
  const lima = timedRun({ start: '2030-06-01T00:00:00Z', timeZone: 'America/Lima' });
  const look = async ({ inside, advanceTo }: typeof tokyo): Promise<readonly string[]> =>
    inside(async () => {
      const seen: string[] = [];
      for (let step = 1; step <= 3; step++) {
        seen.push(new Date().toLocaleString('sv'));
        advanceTo(step * 60_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return seen;
    });
  expect(await Promise.all([look(tokyo), look(lima)])).toEqual([
    ['2020-01-01 09:00:00', '2020-01-01 09:01:00', '2020-01-01 09:02:00'],
    ['2030-05-31 19:00:00', '2030-05-31 19:01:00', '2030-05-31 19:02:00'],
  ]);
});

test('of a Date that was taken before the replay the methods go by the clock, the constructor does not', () => {
  const Taken = Date;
  const { inside } = timedRun(KATHMANDU);
  expect(inside(() => [Taken.now(), new Taken(startMs).getHours()])).toEqual([startMs, 2]);
  expect(inside(() => new Taken().getTime())).toBeGreaterThan(startMs + 1_000);
});

test('two copies of the package share what is installed, whichever is done first', async () => {
  const { Date: NativeDate } = globalThis;
  const { inside, end } = timedRun(KATHMANDU);
  const { Date: OurDate } = globalThis;
  vi.resetModules();
  const uninstall = (await import('../../src/clock/install.js')).installClock();
  expect(Date).toBe(OurDate);
  expect(inside(() => Date.now())).toBe(startMs);
  end();
  expect(Date).toBe(OurDate);
  uninstall();
  expect(Date).toBe(NativeDate);
});
