import type { CompiledRules, KeyFacts } from '../compile.js';
import type { KeyRules } from '../keys/key-rule.js';
import type { PointerSteps } from '../pointer-rules.js';
import { scoutedShapes } from '../text/text-redactor.js';

const NO_KEYS: KeyRules = { verdict: () => null, parameter: () => null, spares: () => false, teaches: () => true };
const ORDINARY: KeyFacts = { verdict: null, plain: true };
const NO_SHAPES = { builtIn: scoutedShapes([]), custom: [], keysInText: null, hasOwnKeys: false };

/** Rules that redact what stands at the pointers, and what a memory knows, and nothing else. */
export function scrubRules(pointers: PointerSteps): CompiledRules {
  return {
    ruleset: 'default',
    keys: NO_KEYS,
    aboutKey: () => ORDINARY,
    text: NO_SHAPES,
    structureText: NO_SHAPES,
    pointers,
    functions: [],
    wide: true,
    description: '',
  };
}
