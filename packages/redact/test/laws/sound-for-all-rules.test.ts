import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED, type Redactor } from '../../src/index.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 4_000 : 400;
const SEEDS = [1, 22, 333];

const LEARNED = '12345678';
const BASE64 = Buffer.from('and tango-7-whisky').toString('base64');

/** What rules of a user may match, in JSON and across it. */
const PATTERNS: readonly RegExp[] = [
  /pin": ?\d+/,
  /1234(?<secret>56)/,
  /(?<!\d)99\d*,\s*"/,
  /\],\s*\[/,
  /[a-z]+","[a-z]+/,
  /\\u00/,
  /\\\\/,
  /00e9\w*/,
  /\\"x/,
  /"/,
  /fals/,
  /:\s*\{[^}]*\}/,
  /[:,]/,
  /-?\d+\.\d+/,
];

const leaf = fc.oneof(
  fc.constantFrom<unknown>(12345678, 9123456781, 12.5, -0.25, 1e21, true, false, null, 99, 0),
  fc
    .array(
      fc.constantFrom(
        ...['é', 'è9', '\\', '"', '\n', '\t', LEARNED, BASE64, ' ', 'x', 'abc', '/', '[', ']', '{', '}', ',', ':', '1'],
        ...[
          'sk-aaaaaaaaaaaa',
          'password=',
          'Bearer abcdefgh1',
          '{"password":"',
          '"token": {',
          '[1,2',
          '\\u00e9',
          '\ud83d\ude00',
        ],
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('')),
);

/** A serializer that escapes what another may leave as it is. */
const ascii = (json: string): string =>
  json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** One for JSON that stands in HTML. */
const numbered = (json: string): string =>
  ascii(json)
    .replace(/\\(.)/g, (whole, sign: string) => (sign === '"' ? '\\u0022' : whole))
    .replace(/[&<>']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const slashed = (json: string): string => json.replaceAll('/', '\\/');
const serializers: readonly ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(value, null, 2),
  (value) => ascii(JSON.stringify(value)),
  (value) => numbered(JSON.stringify(value)),
  (value) => slashed(ascii(JSON.stringify(value))),
];

const { document } = fc.letrec<{ document: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    tie('document'),
    fc.tuple(tie('document'), fc.constantFrom(...serializers)).map(([inner, write]) => write(inner)),
  ),
  document: fc.oneof(
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'pin', 'b"c', LEARNED, 'é', 'token'), tie('value'), { maxKeys: 4 }),
  ),
}));

/** What a text says, where it is an object or an array; undefined where it is not. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever was JSON in the strings of one is so in the other, as far as it is there. */
function expectAsSound(after: unknown, before: unknown): void {
  if (typeof before === 'string') {
    const inner = parsed(before);
    if (inner !== undefined && typeof after === 'string' && after !== REDACTED) expectAsSound(JSON.parse(after), inner);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    expect(after.length).toBe(before.length);
    for (const [index, item] of before.entries()) expectAsSound(after[index], item);
  } else if (isObject(before) && isObject(after)) {
    for (const [key, item] of Object.entries(before)) if (Object.hasOwn(after, key)) expectAsSound(after[key], item);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function taught(patterns: readonly RegExp[]): Redactor {
  const redactor = createRedactor({ patterns: [...patterns] });
  redactor.redact({ token: [LEARNED, 'tango-7-whisky'] });
  return redactor;
}

describe.each(SEEDS)('JSON in a text, from seed %i', (seed) => {
  const input = fc.tuple(
    document,
    fc.constantFrom(...serializers),
    fc.subarray([...PATTERNS], { maxLength: 3 }),
    fc.constantFrom('', 'data: ', 'It says: '),
  );

  it('stays sound at every depth, whatever strikes in it or across it', () => {
    fc.assert(
      fc.property(input, ([value, write, patterns, before]) => {
        const json = write(value);
        const text = String(taught(patterns).redact(before + json).value);
        const said = text.slice(text.search(/[[{"]/));
        // A pattern that matches what stands before it, too, takes it for text.
        if (text.startsWith(before)) expectAsSound(JSON.parse(said), value);
      }),
      { numRuns: RUNS, seed },
    );
  });

  it('keeps no letter and no digit of what is matched, and is at rest', () => {
    fc.assert(
      fc.property(input, ([value, write, patterns, before]) => {
        const text = String(taught(patterns).redact(before + write(value)).value);
        expect(text).not.toContain(LEARNED);
        expect(text).not.toContain(BASE64.slice(8, -4));
        for (const { source } of patterns) {
          for (const match of text.matchAll(new RegExp(source, 'g'))) {
            // White space and quotes between values may be escaped.
            const rest = (match.groups?.secret ?? match[0]).replaceAll(REDACTED, '').replace(/\\+(?:[nrt]|u00)/g, '');
            expect([source, rest, text]).toEqual([source, rest.replace(/[A-Za-z0-9]/g, ''), text]);
          }
        }
        expect(taught(patterns).redact(text)).toEqual({ value: text, findings: [] });
      }),
      { numRuns: RUNS, seed },
    );
  });
});

describe('a value in JSON text', () => {
  it.each([
    ['a number that was learned', '{"pin": 12345678}', '{"pin": "[REDACTED]"}'],
    ['a number that holds one', '{"pin":[99123456781,1]}', '{"pin":["[REDACTED]",1]}'],
    ['one in a string', '{"a":"{\\"pin\\": 12345678}"}', '{"a":"{\\"pin\\": \\"[REDACTED]\\"}"}'],
    ['one in a piece of JSON', '{\\"pin\\": 12345678, \\"b', '{\\"pin\\": \\"[REDACTED]\\", \\"b'],
    ['a key', '{"12345678": 1}', '{"[REDACTED]": 1}'],
    ['a number that is no JSON', 'pin: 12345678, "b"', 'pin: [REDACTED], "b"'],
    ['a number after a bracket', 'see [12345678 or so]', 'see [[REDACTED] or so]'],
    ['a run of Base64 behind an escape', `{"a":"\\n${BASE64}"}`, '{"a":"[REDACTED]"}'],
    [
      'what an outer string cuts off',
      '{"a":"{\\"password\\":\\"abc","b":1}',
      '{"a":"{\\"password\\":\\"[REDACTED]","b":1}',
    ],
    [
      'an object that one cuts off',
      '{"a":"\\"password\\": {","b":"x}"}',
      '{"a":"\\"password\\": \\"[REDACTED]\\"","b":"x}"}',
    ],
  ])('loses a secret: %s', (_, text, expected) => {
    expect(taught([]).redact(text).value).toBe(expected);
  });

  it.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['openings', '{"a":'],
    ['openings in strings', '{"a":"['],
    ['escaped quotes', '[\\"'],
    ['numbers', '[12345678,'],
  ])('is looked for in many %s until none is left', (_, part) => {
    const text = `{"token":"x"}${part.repeat(2 ** 16 / part.length)}12345678`;
    const redactor = taught([/"a?/, /\\\\/, /[:,]\{?/]);
    const { value } = redactor.redact(text);
    expect(value).not.toContain(LEARNED);
    expect(redactor.redact(value)).toEqual({ value, findings: [] });
  });

  it.each([
    [/pin": \d+/, '{"pin": 1234, "b": 2}', '{"[REDACTED]": "[REDACTED]", "b": 2}'],
    [/b","c/, '["ab","cd"]', '["a[REDACTED]","[REDACTED]d"]'],
    [/\{"x":1\}/, '[{"x":1},2]', '["[REDACTED]",2]'],
    [/.+/, '{"x":1}', '"[REDACTED]"'],
    [/.+/, 'so {"x":1}', '[REDACTED]'],
    [/caf\\u00/, '["caf\\u00e9!"]', '["[REDACTED]!"]'],
    [/b\\/, '["ab\\\\c"]', '["a[REDACTED]c"]'],
    [/\],\[/, '[[1],[2]]', '[[1],[2]]'],
    [/rue/, '[true]', '["[REDACTED]"]'],
  ])('loses what %s matches', (pattern, text, expected) => {
    expect(taught([pattern]).redact(text).value).toBe(expected);
  });
});
