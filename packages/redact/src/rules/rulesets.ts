import type { KeyRules, KeyVerdict } from '../keys/key-rule.js';
import { squash } from '../keys/squash.js';
import type { RulesetName } from '../options.js';
import { type ScoutedShapes, scoutedShapes } from '../text/text-redactor.js';
import type { TextRule } from '../text/text-rule.js';
import { contexts, looksRandom } from './contexts.js';
import { defaultVerdict, isSchemaNode, isSpared } from './default-keys.js';
import { defaultParameter } from './parameters.js';
import { type SourcedRule, shapes } from './shapes.js';
import { V0_1_KEYS, v0_1Shapes } from './v0-1.js';
import { webhooks } from './webhooks.js';

/** A named set of built-in rules. */
export interface Ruleset {
  readonly name: RulesetName;
  /** Part of the fingerprint; raised when what is no pattern changes: key rules, text that is seen through. */
  readonly version: number;
  readonly keys: KeyRules;
  /** The shapes, and a scout over them: made when first asked for, so that loading this package costs little. */
  readonly scouted: () => ScoutedShapes;
  /** Whether it goes beyond 0.1: sees through text, looks at object keys, remembers. */
  readonly wide: boolean;
}

const v0_1Keys = new Set(V0_1_KEYS);

const v0_1Verdict = (key: string): KeyVerdict => (v0_1Keys.has(squash(key)) ? 'whole' : null);

/** A shape of 0.1 that is also looked for elsewhere, as far as it is told by more than the word before it. */
function teaching(rule: TextRule): TextRule {
  return { ...rule, teaches: rule.id.endsWith('bearer') ? looksRandom : () => true };
}

/** The rules that only the default ruleset has. */
export const defaultShapes = (): readonly SourcedRule[] => [...contexts(), ...shapes(), ...webhooks()];

/** Those of 0.1 come first and unchanged, so that whatever they redact is redacted. */
const allShapes = (): readonly TextRule[] => [...v0_1Shapes().map(teaching), ...defaultShapes()];

function once<T>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

export const RULESETS: readonly Ruleset[] = [
  {
    name: 'default',
    version: 4,
    keys: {
      verdict: defaultVerdict,
      parameter: defaultParameter,
      spares: isSpared,
      teaches: (value) => !isSchemaNode(value),
    },
    scouted: once(() => scoutedShapes(allShapes())),
    wide: true,
  },
  {
    name: '0.1',
    version: 1,
    keys: {
      verdict: v0_1Verdict,
      parameter: v0_1Verdict,
      spares: () => false,
      teaches: () => false,
    },
    scouted: once(() => scoutedShapes(v0_1Shapes())),
    wide: false,
  },
];
