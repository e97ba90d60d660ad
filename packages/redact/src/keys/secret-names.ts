/** Endings of a secret's name, in words. `token` is judged by the words before it, too. */
const ENDINGS = [
  'token',
  'secret',
  'secrets',
  'password',
  'passwords',
  'passwd',
  'passphrase',
  'passcode',
  'password hash',
  'credential',
  'credentials',
  'cookie',
  'cookies',
  'api key',
  'api keys',
  'access key',
  'secret key',
  'secret keys',
  'private key',
  'private keys',
  'signing key',
  'encryption key',
  'master key',
  'account key',
  'subscription key',
  'functions key',
  'app key',
  'seed phrase',
  'recovery phrase',
  'code verifier',
  'proxy authorization',
  'amz signature',
  'goog signature',
  'jwt',
];

/** The same as a squashed key ends in them. docs/redaction.md has a row for each. */
export const SECRET_ENDINGS: readonly string[] = ENDINGS.map((words) => words.replace(' ', ''));

/** Names that are too short or too common to be an ending. */
export const SECRET_NAMES: readonly string[] = ['pass'];

/** Names whose values have parts, which rules of their own know where they stand in running text. */
const HEADERS = ['authorization', 'cookie', 'cookies'];

/** Last words that say nothing without the word before them. */
const COMMON = ['hash'];

/** What such a name ends in at the least, with whatever may stand between its words; without those of headers. */
export const LAST_WORDS: readonly string[] = [
  ...new Set([...ENDINGS, ...SECRET_NAMES].flatMap((words) => spellings(words.split(' ')))),
].filter((word) => !HEADERS.includes(word));

function spellings(words: readonly string[]): readonly string[] {
  const last = words.at(-1) as string;
  return COMMON.includes(last) ? ['', '_', '-'].map((between) => words.join(between)) : [last];
}

/** Whether a name is that of such a header. */
export function namesHeader(name: string): boolean {
  return HEADER.test(name);
}

const HEADER = new RegExp(`(?:${HEADERS.join('|')})$`, 'i');
