import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';

const RUNS = process.env.STEPFORK_FULL === '1' ? 20_000 : 1_000;

/** What rules for running text strike on, or begin to. */
const fragment = fc.constantFrom(
  ...[
    'password:',
    'Set API_KEY=',
    'token: ',
    'api_key = ',
    'password="',
    "secret='",
    'Bearer ',
    'Authorization: Basic ',
  ],
  ...[
    '://u:',
    '?key=',
    '--token ',
    'sk-',
    'eyJ',
    'hunter2xyz9',
    'https://a.b/?token=',
    ' and ',
    'é',
    '\\',
    '"',
    '\n',
    ',',
    '}',
  ],
);
const text = fc.array(fragment, { maxLength: 5 }).map((parts) => parts.join(''));
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    fc.constantFrom(null, true, 7),
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('content', 'choices', 'usage', 'n', 'text'), tie('document'), { maxKeys: 3 }),
  ),
}));

/** Everything but what strings say. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]));
}

describe('JSON in a text', () => {
  it.each([
    ['compact', 0],
    ['indented', 2],
  ])('stays sound, %s, whatever its strings say', (_, indent) => {
    fc.assert(
      fc.property(document, (value) => {
        const json = JSON.stringify({ value }, null, indent);
        const { value: redacted } = createRedactor().redact(json);
        expect(shapeOf(JSON.parse(String(redacted)))).toEqual(shapeOf({ value }));
      }),
      { numRuns: RUNS },
    );
  });

  it('stays sound where a message asks for a secret', () => {
    const json = JSON.stringify({
      choices: [{ message: { content: 'Please enter your password:' } }],
      usage: { n: 3 },
    });
    expect(createRedactor().redact(json)).toEqual({ value: json, findings: [] });
  });
});
