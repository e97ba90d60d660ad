import { anyCase, BOUNDARY, SPACE, TOKEN } from '../text/characters.js';
import type { Hint } from '../text/scout.js';
import type { TextRule } from '../text/text-rule.js';

const BEARER = `${anyCase('bearer')}${SPACE}+(?<secret>${TOKEN}{8,})`;
const BEARER_HINT: Hint = { word: 'bearer', anyCase: true };

/** The credential shapes of ruleset 0.1, in the order in which they are applied, each to the result of the last. */
export const v0_1Shapes = (): readonly TextRule[] => [
  shape('authorization-bearer', `${anyCase('authorization')}:${SPACE}*${BEARER}`, BEARER_HINT),
  shape('bearer', BEARER, BEARER_HINT),
  shape('sk', `${BOUNDARY}sk-[A-Za-z0-9_-]{8,}${BOUNDARY}`, { word: 'sk-' }),
  shape('ghp', `${BOUNDARY}ghp_[A-Za-z0-9_]{8,}${BOUNDARY}`, { word: 'ghp_' }),
  shape('gho', `${BOUNDARY}gho_[A-Za-z0-9_]{8,}${BOUNDARY}`, { word: 'gho_' }),
  shape('github-pat', `${BOUNDARY}github_pat_[A-Za-z0-9_]{8,}${BOUNDARY}`, { word: 'github_pat_' }),
];

function shape(id: string, source: string, hint: Hint): TextRule {
  return { id, reason: 'credential_pattern', pattern: new RegExp(source, 'dgu'), hints: [hint] };
}

/** Names whose value is redacted whole, whatever it is; compared by `squash`. */
export const V0_1_KEYS: readonly string[] = [
  'apikey',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'authorization',
  'password',
  'passwd',
  'secret',
  'clientsecret',
  'privatekey',
  'sessiontoken',
  'bearertoken',
];
