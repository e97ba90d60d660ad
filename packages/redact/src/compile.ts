import { types } from 'node:util';
import { StepforkError, sha256 } from '@stepfork/trace-format/write';
import { type KeyRules, type KeyVerdict, rememberByKey } from './keys/key-rule.js';
import { NO_MEMORY } from './memory/memory.js';
import type { RedactFunction, RedactOptions, RulesetName } from './options.js';
import { compilePointers, type PointerSteps } from './pointer-rules.js';
import { PII_RULES } from './rules/pii.js';
import { RULESETS, type Ruleset } from './rules/rulesets.js';
import { redactText, type TextRules } from './text/text-redactor.js';
import type { TextRule } from './text/text-rule.js';

/** All rules of one redactor, checked and ready for use. */
export interface CompiledRules {
  readonly ruleset: RulesetName;
  readonly keys: KeyRules;
  readonly aboutKey: (key: string) => KeyFacts;
  readonly text: TextRules;
  /** For what is never redacted, and holds no keys: ids, links, times. */
  readonly structureText: TextRules;
  readonly pointers: PointerSteps;
  readonly functions: readonly RedactFunction[];
  /** Whether object keys are looked at as text too, pairs are seen through, and secrets are remembered. */
  readonly wide: boolean;
  /** What a SHA-256 is made of that tells sets of rules apart. */
  readonly description: string;
}

export interface KeyFacts {
  readonly verdict: KeyVerdict;
  /** Whether the key itself holds no credential. */
  readonly plain: boolean;
}

const NAMES = ['ruleset', 'keys', 'pointers', 'patterns', 'functions', 'pii'];
const builtIn = new Map<RulesetName, CompiledRules>();

/**
 * Compiles rules.
 *
 * @throws StepforkError `bad_redaction_rule`, naming the rule, for one that is no rule.
 */
export function compileRules(options: RedactOptions = {}): CompiledRules {
  checkShape(options);
  const ruleset = rulesetOf(options.ruleset ?? 'default');
  if (Object.keys(options).every((name) => name === 'ruleset')) {
    const known = builtIn.get(ruleset.name) ?? compile(ruleset, options);
    builtIn.set(ruleset.name, known);
    return known;
  }
  return compile(ruleset, options);
}

function compile(ruleset: Ruleset, options: RedactOptions): CompiledRules {
  const ownKeys = new Set((options.keys ?? []).map(customKey));
  const isOwn = (key: string): boolean => ownKeys.size > 0 && ownKeys.has(foldKey(key));
  const keys: KeyRules = {
    ...ruleset.keys,
    verdict: (key) => (isOwn(key) ? 'whole' : ruleset.keys.verdict(key)),
    parameter: (name) => (isOwn(name) ? 'whole' : ruleset.keys.parameter(name)),
  };
  const pointers = compilePointers(options.pointers ?? []);
  if (pointers.bad !== null) throw badRule(`pointer '${pointers.bad}'`, 'is not a JSON Pointer such as /user/ssn');
  const custom = [...(options.pii ?? []).map(piiRule), ...(options.patterns ?? []).map(customPattern)];
  const functions = (options.functions ?? []).map(customFunction);
  const keysInText: KeyRules = {
    ...keys,
    verdict: rememberByKey(keys.verdict),
    parameter: rememberByKey(keys.parameter),
  };
  const text: TextRules = {
    builtIn: ruleset.scouted(),
    custom,
    keysInText: ruleset.wide ? keysInText : null,
    hasOwnKeys: ownKeys.size > 0,
  };
  return {
    ruleset: ruleset.name,
    keys,
    aboutKey: rememberByKey((key) => ({
      verdict: keys.verdict(key),
      plain: !ruleset.wide || redactText(key, text, NO_MEMORY, () => {}) === null,
    })),
    text,
    structureText: { ...text, keysInText: null },
    pointers: pointers.root,
    functions,
    wide: ruleset.wide,
    description: describe(ruleset, custom, options),
  };
}

function checkShape(options: RedactOptions): void {
  if (typeof options !== 'object' || options === null) throw badRule('redact options', 'must be an object');
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw badRule(`option '${unknown}'`, `is not known; known are ${NAMES.join(', ')}`);
  for (const name of ['keys', 'pointers', 'patterns', 'functions', 'pii'] as const) {
    const list: unknown = options[name];
    if (list !== undefined && !Array.isArray(list)) throw badRule(`option '${name}'`, 'must be a list');
  }
}

function rulesetOf(name: string): Ruleset {
  const found = RULESETS.find((ruleset) => ruleset.name === name);
  if (found === undefined) throw badRule(`ruleset '${String(name)}'`, "is not known; use 'default' or '0.1'");
  return found;
}

/** Letters and digits of any script, lower case: a key that holds none cannot be told from another. */
function foldKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function customKey(key: unknown): string {
  if (typeof key !== 'string' || foldKey(key) === '') {
    throw badRule(`key ${shown(key)}`, 'must be text with a letter or digit in it');
  }
  return foldKey(key);
}

function customPattern(pattern: unknown, index: number): TextRule {
  if (!types.isRegExp(pattern)) throw badRule(`pattern ${index}`, 'must be a RegExp');
  if (pattern.sticky) throw badRule(`pattern ${String(pattern)}`, 'must not be sticky (flag y)');
  if (new RegExp(pattern.source, pattern.flags.replace('g', '')).test('')) {
    throw badRule(`pattern ${String(pattern)}`, 'matches the empty string, so it would match everywhere');
  }
  const flags = [...new Set(`${pattern.flags}dg`)].join('');
  return { id: `pattern-${index}`, reason: 'pattern', pattern: new RegExp(pattern.source, flags) };
}

function customFunction(rule: unknown, index: number): RedactFunction {
  if (typeof rule !== 'function') throw badRule(`function ${index}`, 'must be a function');
  return rule as RedactFunction;
}

function piiRule(name: string): TextRule {
  if (!Object.hasOwn(PII_RULES, name)) throw badRule(`pii ${shown(name)}`, "is not known; use 'email' or 'phone'");
  return PII_RULES[name as keyof typeof PII_RULES];
}

function badRule(what: string, problem: string): StepforkError {
  return new StepforkError('bad_redaction_rule', `redaction ${what} ${problem}`, { details: { rule: what } });
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : typeof value;
}

/**
 * Functions are told by number alone: their source text differs between a bundle and a test run of the same code.
 */
function describe(ruleset: Ruleset, custom: readonly TextRule[], options: RedactOptions): string {
  return JSON.stringify([
    ruleset.name,
    ruleset.version,
    [...ruleset.scouted().shapes, ...custom].map(({ reason, pattern }) => [reason, pattern.source, pattern.flags]),
    [...new Set((options.keys ?? []).map(customKey))].sort(),
    [...new Set(options.pointers ?? [])].sort(),
    options.functions?.length ?? 0,
  ]);
}

/** SHA-256, 64 hex digits, that is equal for equal rules. */
export function fingerprintOf(rules: CompiledRules): string {
  return sha256(rules.description);
}
