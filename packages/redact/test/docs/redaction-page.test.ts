import { describe, expect, it } from 'vitest';
import { type ScrubOptions, scanBundle, scrubBundle } from '../../src/bundle.js';
import * as api from '../../src/index.js';
import { SECRET_ENDINGS } from '../../src/keys/secret-names.js';
import { JUDGED_PARAMETERS, SECRET_PARAMETERS } from '../../src/rules/parameters.js';
import { PII_RULES } from '../../src/rules/pii.js';
import { defaultShapes } from '../../src/rules/rulesets.js';
import { v0_1Shapes as shapesOf0_1, V0_1_KEYS } from '../../src/rules/v0-1.js';
import { spliced } from '../../src/text/splice.js';
import { spliceTextRule, type TextRule } from '../../src/text/text-rule.js';
import { bundleOf, traceWith } from '../bundle/folder.js';
import { examples, type Row, sparedUnder, tableUnder } from './page.js';

const { createRedactor, REDACTED } = api;

const v0_1Keys = tableUnder('## Ruleset `0.1`', 0);
const v0_1Shapes = tableUnder('## Ruleset `0.1`', 1);
const endings = tableUnder('### Keys', 0);
const nearMisses = sparedUnder('### Keys', 1);
const assignments = tableUnder('### Keys', 2);
const parameters = tableUnder('### Parameters', 0);
const shapes = tableUnder('### Shapes', 0);
const pii = tableUnder('## Personal data', 0);

const rulesOf = (rows: readonly Row[]): readonly string[] => rows.map((row) => row.rule);

describe('the page lists every rule', () => {
  it('names the keys of 0.1', () => {
    expect(rulesOf(v0_1Keys)).toEqual(V0_1_KEYS);
  });

  it('names the shapes of 0.1 in their order', () => {
    expect(rulesOf(v0_1Shapes)).toEqual(shapesOf0_1().map((rule) => rule.id));
  });

  it('names the endings of the default ruleset', () => {
    expect(rulesOf(endings)).toEqual([...SECRET_ENDINGS, 'pass (the whole name)']);
  });

  it('names the parameters of the default ruleset', () => {
    expect(rulesOf(parameters)).toEqual([...SECRET_PARAMETERS, ...JUDGED_PARAMETERS]);
  });

  it('names the shapes of the default ruleset, with their sources', () => {
    expect(shapes.map(({ rule, source }) => ({ id: rule, source }))).toEqual(
      defaultShapes().map(({ id, source }) => ({ id, source })),
    );
  });

  it('names the rules for personal data, with their sources', () => {
    expect(pii.map(({ rule, source }) => ({ id: rule, source }))).toEqual(
      Object.values(PII_RULES).map(({ id, source }) => ({ id, source })),
    );
  });
});

describe.each(['0.1', 'default'] as const)('under ruleset %s', (ruleset) => {
  it.each([...v0_1Keys, ...v0_1Shapes])('$rule redacts its sample and spares its near miss', (row) => {
    expect(createRedactor({ ruleset }).redact(row.redacted).findings).toHaveLength(1);
    expect(createRedactor({ ruleset }).redact(row.spared)).toEqual({ value: row.spared, findings: [] });
  });
});

describe('under the default ruleset', () => {
  it.each([...endings, ...assignments, ...parameters, ...shapes])(
    '$rule redacts its sample and spares its near miss',
    (row) => {
      const { value, findings } = createRedactor().redact(row.redacted);
      expect(findings.length).toBeGreaterThan(0);
      expect(JSON.stringify(value)).toContain(REDACTED);
      expect(JSON.stringify(value)).not.toMatch(/a{8}|A{16}|0{32}/);
      expect(createRedactor().redact(row.spared)).toEqual({ value: row.spared, findings: [] });
    },
  );

  it.each(nearMisses.map((value) => ({ value })))('leaves $value alone', ({ value }) => {
    expect(createRedactor().redact(value)).toEqual({ value, findings: [] });
  });
});

describe('a shape by itself', () => {
  const rules: readonly TextRule[] = [...shapesOf0_1(), ...defaultShapes(), ...Object.values(PII_RULES)];
  const rows = [...v0_1Shapes, ...shapes, ...pii];

  it.each(rows)('$rule strikes its sample and not its near miss', ({ rule: id, redacted, spared }) => {
    const rule = rules.find((candidate) => candidate.id === id) as TextRule;
    expect(
      spliced(
        redacted as string,
        spliceTextRule(redacted as string, rule, () => {}),
      ),
    ).toContain(REDACTED);
    expect(spliceTextRule(spared as string, rule, () => {})).toEqual([]);
  });
});

describe('personal data', () => {
  it.each(pii)('$rule is off by default and on by name', ({ rule, redacted, spared }) => {
    const name = rule as 'email' | 'phone';
    expect(createRedactor().redact(redacted).findings).toEqual([]);
    expect(createRedactor({ pii: [name] }).redact(redacted).findings).toEqual([{ path: '', reason: 'personal_data' }]);
    expect(createRedactor({ pii: [name] }).redact(spared).findings).toEqual([]);
  });
});

describe('the examples of the page and the README', () => {
  it.each(examples.map((code, index) => ({ index, code })))('example $index prints what it says', ({ code }) => {
    const bundle = bundleOf(traceWith({ ticket: 'tango-7-whisky' }));
    const names = {
      ...api,
      scanBundle: (_path: string, options?: api.RedactOptions) => scanBundle(bundle, options),
      scrubBundle: (_path: string, options: ScrubOptions) => scrubBundle(bundle, options),
    };
    const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
    const printed: string[] = [];
    const log = (value: unknown): void => {
      printed.push(typeof value === 'string' ? value : JSON.stringify(value));
    };
    const body = code.replace(/^import \{ (.*) \} from '@stepfork\/redact(?:\/bundle)?';$/m, 'const { $1 } = names;');
    new Function('names', 'console', body)(names, { log });
    expect(printed).toEqual(expected);
    expect(printed.length).toBeGreaterThan(0);
  });
});
