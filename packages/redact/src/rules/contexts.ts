import { Buffer } from 'node:buffer';
import { anyCase, SPACE, START } from '../text/characters.js';
import type { SourcedRule } from './shapes.js';

/** Credentials that are known by what stands around them. */
export const contexts = (): readonly SourcedRule[] => [
  context({
    id: 'basic-header',
    pattern: `${START}${anyCase('basic')}${SPACE}+(?<secret>[A-Za-z0-9+/_-]{8,}={0,2})`,
    hints: ['basic'],
    source: 'https://www.rfc-editor.org/rfc/rfc7617#section-2',
    accepts: isUserAndPassword,
  }),
  context({
    id: 'authorization-header',
    pattern: String.raw`${START}authorization ?:\s*(?:token|apikey|digest|negotiate|aws4-hmac-sha256)\s+(?<secret>[^\r\n"'\\]{8,})`,
    flags: 'i',
    hints: ['authorization:', 'authorization :'],
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2',
  }),
  context({
    id: 'credential-header',
    pattern: String.raw`${START}(?:x-api-key|x-auth-token|x-goog-api-key|x-amz-security-token|private-token|ocp-apim-subscription-key|api-key) ?:\s*(?<secret>[^\s"'\\,;]{4,})`,
    flags: 'i',
    hints: ['-key:', '-key :', '-token:', '-token :'],
    source: 'https://www.rfc-editor.org/rfc/rfc9110#section-5.5',
  }),
  context({
    id: 'cookie-header',
    pattern: String.raw`${START}(?:set-)?cookie ?:\s*(?<secret>[^\s"'\\=;]+=[^\r\n"'\\]*)`,
    flags: 'i',
    hints: ['cookie:', 'cookie :'],
    source: 'https://www.rfc-editor.org/rfc/rfc6265#section-4',
  }),
  context({
    // A run without slashes is looked at once: from `://` to the last `@` in it.
    id: 'url-password',
    pattern: String.raw`:(?:\\?\/){2}[^\s:/?#@"'<>\\]*:(?<secret>[^\s/?#"'<>\\]+)@`,
    hints: ['://', ':\\/\\/'],
    source: 'https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1',
    teaches: () => true,
  }),
  context({
    id: 'connection-string',
    pattern: String.raw`(?:^|;|=[^\s=,()]{1,128}[ \t])[ \t]*(?:password|pwd|accountkey|sharedaccesskey|accesskey) ?= ?(?<secret>[^\s;"'&<>]+)`,
    flags: 'i',
    hints: ['password', 'pwd', 'accountkey', 'accesskey'].flatMap((name) => [`${name}=`, `${name} =`]),
    source: 'https://learn.microsoft.com/dotnet/framework/data/adonet/connection-string-syntax',
  }),
  context({
    id: 'aws-secret-access-key',
    pattern: String.raw`secret_?access_?key["'\s\\]{0,5}[:=]["'\s\\]{0,5}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])`,
    flags: 'i',
    hints: ['access_key', 'accesskey'],
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_access-keys.html',
    teaches: () => true,
  }),
];

interface ContextInit {
  readonly id: string;
  readonly pattern: string;
  readonly flags?: string;
  /** Of any case. */
  readonly hints: readonly string[];
  readonly source: string;
  readonly accepts?: (secret: string) => boolean;
  readonly teaches?: (secret: string) => boolean;
}

function context({ pattern, flags = '', hints, teaches = looksRandom, ...rest }: ContextInit): SourcedRule {
  return {
    ...rest,
    reason: 'credential_pattern',
    pattern: new RegExp(pattern, `dgu${flags}`),
    hints: hints.map((word) => ({ word, anyCase: true })),
    teaches,
  };
}

/**
 * Whether what stood after a telling word may itself be looked for elsewhere. `Bearer authentication` is an English
 * phrase, and its second word must not vanish from the rest of the session.
 */
export function looksRandom(secret: string): boolean {
  return /[0-9]/.test(secret) && /[A-Za-z]/.test(secret);
}

/** Whether Base64 text holds `user:password`. `Basic understanding` does not. */
function isUserAndPassword(base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  return text.includes(':') && !/[\p{Cc}\ufffd]/u.test(text);
}
