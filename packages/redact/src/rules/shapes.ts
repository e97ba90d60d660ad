import { HYPHEN_START, START } from '../text/characters.js';
import type { TextRule } from '../text/text-rule.js';

const GITLEAKS = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml';
const TRUFFLEHOG = 'https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors';

const GITLAB_PREFIXES = ['pat', 'dt', 'rt', 'rtr', 'cbt', 'ptt', 'ft', 'imt', 'agent', 'oas', 'soat', 'ffct', 'wt'].map(
  (kind) => `gl${kind}-`,
);

/** A character of a value, itself or encoded, that ends no parameter. */
const ENCODED = '(?:[A-Za-z0-9_.~+/-]|%(?!2[36])[0-9A-Fa-f]{2})';

/** A rule of the default ruleset, and where its shape is documented. */
export interface SourcedRule extends TextRule {
  readonly source: string;
}

/** Credentials that say by their own form what they are. */
export const shapes = (): readonly SourcedRule[] => [
  shape({
    // OpenAI (user, project, service account, admin), Anthropic, OpenRouter and many that imitate them.
    id: 'sk-key',
    pattern: `${HYPHEN_START}sk-[A-Za-z0-9_-]{8,}`,
    hints: ['sk-'],
    source: 'https://platform.openai.com/docs/api-reference/authentication',
  }),
  shape({
    id: 'openai-session',
    pattern: `${START}(?:sess-|ek_)[A-Za-z0-9]{32,}`,
    hints: ['sess-', 'ek_'],
    source: 'https://platform.openai.com/docs/api-reference/realtime-sessions',
  }),
  shape({
    id: 'ai-service-key',
    pattern: `${START}(?:gsk_|xai-|pplx-|r8_|nvapi-)[A-Za-z0-9_]{37,}`,
    hints: ['gsk_', 'xai-', 'pplx-', 'r8_', 'nvapi-'],
    source: TRUFFLEHOG,
  }),
  shape({
    id: 'aws-access-key-id',
    pattern: `${START}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])`,
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
  }),
  shape({
    id: 'google-api-key',
    pattern: `${START}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`,
    hints: ['AIza'],
    source: GITLEAKS,
  }),
  shape({
    id: 'google-oauth',
    pattern: String.raw`${START}(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{24,}|1\/\/0[A-Za-z0-9_-]{30,})`,
    hints: ['ya29.', 'GOCSPX-', '1//0'],
    source: 'https://developers.google.com/identity/protocols/oauth2',
  }),
  shape({
    id: 'azure-client-secret',
    pattern: String.raw`(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])`,
    hints: ['Q~'],
    // Three characters and a digit: seldom in a word, and with less of it any word would do.
    tells: 4,
    source: GITLEAKS,
  }),
  shape({
    id: 'azure-service-key',
    pattern: `(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}(?:[A-Za-z0-9]{2}==)?`,
    hints: ['JQQJ9'],
    // Longer than the ids that every chunk of a stream ends with.
    tells: 33,
    source: 'https://github.com/microsoft/security-utilities',
  }),
  shape({
    id: 'azure-sas-signature',
    pattern: '(?<=[?&;])sig=(?<secret>[A-Za-z0-9%+/=_-]{40,})',
    hints: ['sig='],
    source: 'https://learn.microsoft.com/azure/storage/common/storage-sas-overview',
  }),
  shape({
    // In a URL that is itself the parameter of another. Short names are those of anything else, too.
    id: 'encoded-parameter',
    pattern: `(?:%3[Ff]|%26)(?:[Xx]-(?:[Aa]mz|AMZ|[Gg]oog|GOOG)-[Ss]ignature|(?:access_)?token|(?:[Ss]ignature|sig)(?=%3[Dd]${ENCODED}{16}))%3[Dd](?<secret>${ENCODED}{8,})`,
    hints: ['ignature', 'sig', 'token'].flatMap((name) => [`${name}%3D`, `${name}%3d`]),
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
  }),
  shape({
    id: 'slack-token',
    pattern: `${START}(?:xoxe\\.)?(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}`,
    hints: ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    source: 'https://docs.slack.dev/authentication/tokens',
  }),
  shape({
    id: 'slack-webhook',
    pattern: String.raw`hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/_+-]{20,})`,
    hints: ['hooks.slack.com'],
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  }),
  shape({
    id: 'stripe-key',
    pattern: `${START}(?:(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,})`,
    hints: ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_', 'whsec_'],
    source: 'https://docs.stripe.com/keys',
  }),
  shape({
    id: 'npm-token',
    pattern: `${START}npm_[A-Za-z0-9]{36,}`,
    hints: ['npm_'],
    source: 'https://github.blog/security/announcing-npms-new-access-token-format/',
  }),
  shape({
    id: 'pypi-token',
    pattern: `${START}pypi-[A-Za-z0-9_-]{40,}`,
    hints: ['pypi-'],
    source: 'https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns',
  }),
  shape({
    id: 'github-token',
    pattern: `${START}(?:gh[pousr]_[A-Za-z0-9_]{16,}|github_pat_[A-Za-z0-9_]{16,})`,
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    source: 'https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available/',
  }),
  shape({
    id: 'gitlab-token',
    pattern: String.raw`${START}(?:${GITLAB_PREFIXES.join('|')})[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*`,
    hints: GITLAB_PREFIXES,
    source: 'https://docs.gitlab.com/security/tokens/#token-prefixes',
  }),
  shape({
    id: 'hugging-face-token',
    pattern: `${START}(?:hf|api_org)_[A-Za-z0-9]{30,}`,
    hints: ['hf_', 'api_org_'],
    source: 'https://huggingface.co/docs/hub/security-tokens',
  }),
  shape({
    id: 'sendgrid-key',
    pattern: String.raw`${START}SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`,
    hints: ['SG.'],
    source: GITLEAKS,
  }),
  shape({
    id: 'twilio-key',
    pattern: `${START}SK[0-9a-f]{32}(?![A-Za-z0-9])`,
    hints: ['SK'],
    source: 'https://www.twilio.com/docs/glossary/what-is-a-sid',
  }),
  shape({
    // Signed (three parts, the last may be empty) and encrypted (five). A part never holds a dot, and a start
    // never follows a hyphen: a long run of such characters is looked at once.
    id: 'jwt',
    pattern: String.raw`${HYPHEN_START}eyJ[A-Za-z0-9_-]{8,65536}(?:\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*|(?:\.[A-Za-z0-9_-]*){4})`,
    hints: ['eyJ'],
    source: 'https://www.rfc-editor.org/rfc/rfc7515#section-7.1',
  }),
  shape({
    // The body stops at the next five hyphens, so that a text of many openings is still looked at once. A block that
    // was cut off has no closing line, and is known by its first line of Base64.
    id: 'pem-private-key',
    pattern: pemPattern('{32,}'),
    begins: pemPattern('{32}'),
    hints: ['-----BEGIN '],
    source: 'https://www.rfc-editor.org/rfc/rfc7468#section-10',
  }),
];

/** @param firstLine how many characters of Base64 tell a block that was cut off */
function pemPattern(firstLine: string): string {
  const name = '[A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----';
  const whole = `[^-]*(?:-(?!----)[^-]*)*-----END ${name}`;
  const cutOff = String.raw`(?:\s|\\[nr])*[A-Za-z0-9+/=]${firstLine}(?:\s|\\[nr]|[A-Za-z0-9+/=])*`;
  return `-----BEGIN ${name}(?:${whole}|${cutOff})`;
}

interface ShapeInit {
  readonly id: string;
  readonly pattern: string;
  readonly hints: readonly string[];
  readonly tells?: number;
  readonly begins?: string;
  readonly source: string;
}

/** A rule for a form that tells by itself: what it redacts is looked for elsewhere. */
export function shape({ id, pattern, hints, source, begins, ...rest }: ShapeInit): SourcedRule {
  return {
    id,
    reason: 'credential_pattern',
    pattern: new RegExp(pattern, 'dgu'),
    hints: hints.map((word) => ({ word })),
    source,
    teaches: () => true,
    ...rest,
    ...(begins !== undefined && { begins: new RegExp(begins, 'dgu') }),
  };
}
