import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answersInProcess, answersTo, type Question } from './answers.js';
import { timedRun } from './run.js';

const FULL = process.env.STEPFORK_FULL === '1';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Half an hour of summer time, a summer time that begins at midnight, a day that was left out, seconds, and so on. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'America/St_Johns',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Europe/Dublin',
  'UTC',
];

/** Where the clocks of a zone were put forward or back since 1950, to the hour. */
function transitionsOf(timeZone: string): readonly number[] {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offset = (ms: number): string | undefined => format.format(ms).split('GMT')[1];
  const found: number[] = [];
  for (let ms = Date.UTC(1950, 0); ms < Date.UTC(2035, 0); ms += 10 * DAY) {
    let [before, after] = [ms, ms + 10 * DAY];
    if (offset(before) === offset(after)) continue;
    while (after - before > HOUR) {
      const middle = (before + after) / 2;
      if (offset(middle) === offset(before)) before = middle;
      else after = middle;
    }
    found.push(Math.round(after / HOUR) * HOUR);
  }
  return found;
}

function momentsIn(timeZone: string): fc.Arbitrary<number> {
  const moments = [
    fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2026, 11, 31) }),
    fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2037, 0) }),
    fc.integer({ min: -8.6e15, max: 8.6e15 }),
  ];
  const transitions = transitionsOf(timeZone);
  if (transitions.length === 0) return fc.oneof(...moments);
  const near = fc
    .tuple(fc.constantFrom(...transitions), fc.integer({ min: -27 * 60, max: 27 * 60 }))
    .map(([ms, minutes]) => ms + minutes * 60_000);
  return fc.oneof(...moments, { arbitrary: near, weight: 4 });
}

/** The fields of a moment, so that they lie where the clocks are changed, too. */
const fieldsOf = (ms: number): readonly number[] => {
  const date = new Date(ms);
  return [
    ...[date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours()],
    ...[date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCMilliseconds()],
  ];
};

const textsOf = (ms: number): readonly string[] => {
  const iso = new Date(ms).toISOString();
  const utc = new Date(ms).toUTCString();
  const [weekday, day, month, year, time] = utc.split(' ');
  return [
    ...[iso, iso.slice(0, -1), iso.slice(0, -8), iso.replace('Z', '+02:00'), iso.split('T')[0] ?? ''],
    ...[
      iso.slice(0, -1).replace('T', ' '),
      iso.replace('T', ' '),
      utc,
      utc.replace('GMT', ''),
      utc.replace('GMT', 'EST'),
    ],
    ...[
      `${month} ${day}, ${year}`,
      `${month} ${day}, ${year} 3:45 PM`,
      `${month}/${day}/${year}`,
      `${day} ${month} ${year} ${time}`,
    ],
    ...[
      `${weekday} ${day} ${month} ${year} ${time} -0330`,
      `${month} ${day} ${year} ${time} (EST)`,
      `EST ${day} ${month} ${year} ${time}`,
    ],
    ...[
      `${year}-${day}-${month}`,
      `${new Date(ms).getUTCMonth() + 1}/${day}/${year} 10:00`,
      `${day} ${month} ${year} ${time}Z`,
    ],
    ...[`${time} ${day} ${month} ${year}`, `tomorrow, ${time}`, 'nonsense', '', String(new Date(ms).getUTCFullYear())],
  ];
};

const SETTERS = [
  'setFullYear',
  'setMonth',
  'setDate',
  'setHours',
  'setMinutes',
  'setSeconds',
  'setMilliseconds',
  'setYear',
];

function questionsIn(timeZone: string): fc.Arbitrary<Question> {
  const moments = momentsIn(timeZone);
  return fc.oneof(
    moments.map((ms): Question => ({ ask: 'moment', ms })),
    fc
      .tuple(moments, fc.integer({ min: 2, max: 7 }))
      .map(([ms, length]): Question => ({ ask: 'fields', fields: fieldsOf(ms).slice(0, length) })),
    fc
      .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: -30, max: 30 }))
      .map((fields): Question => ({ ask: 'fields', fields })),
    moments.chain((ms) => fc.constantFrom(...textsOf(ms))).map((text): Question => ({ ask: 'text', text })),
    fc
      .tuple(
        moments,
        fc.constantFrom(...SETTERS),
        fc.array(fc.integer({ min: -40, max: 2040 }), { minLength: 1, maxLength: 2 }),
      )
      .map(([ms, method, args]): Question => ({ ask: 'set', ms, method, args })),
  );
}

describe('in a process of another time zone', () => {
  const { TZ } = process.env;
  beforeEach(() => {
    process.env.TZ = 'America/Caracas';
  });
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  test.each(ZONES)('Date says what it says in a process in %s', (timeZone) => {
    const { inside } = timedRun({ start: '2026-01-01T00:00:00Z', timeZone });
    fc.assert(
      fc.property(fc.array(questionsIn(timeZone), { minLength: 400, maxLength: 400 }), (questions) => {
        const ours = JSON.parse(JSON.stringify(inside(() => answersTo(questions)))) as readonly unknown[];
        const native = answersInProcess(timeZone, questions);
        const differing = questions.flatMap((question, i) =>
          isDeepStrictEqual(ours[i], native[i]) ? [] : [{ question, ours: ours[i], native: native[i] }],
        );
        expect(differing).toEqual([]);
      }),
      { numRuns: FULL ? 20 : 1, endOnFailure: true },
    );
  });
});
