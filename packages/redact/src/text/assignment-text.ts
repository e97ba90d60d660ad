import type { KeyRules } from '../keys/key-rule.js';
import { LAST_WORDS, namesHeader } from '../keys/secret-names.js';
import { wordsOf } from '../keys/squash.js';
import { REDACTED } from '../replacement.js';
import { OpenEnd } from './open-end.js';
import type { Hint } from './scout.js';
import { NO_SPLICES, type Splice } from './splice.js';

/** What may follow the last word of a name: its sign, white space before that, or a separator that says nothing. */
const AFTER_NAME = ['=', ':', ' =', ' :', '  ', ' \t', '\t', '_', '-', '.'];
/** Last words of names that are one word when their separators are left out: `pass_word`. */
const LAST_PARTS = ['word', 'words', 'wd', 'phrase', 'code', 'hash'];

/** Without one of these, no text holds an assignment to a built-in name. */
export const ASSIGNMENT_HINTS: readonly Hint[] = [
  { word: '--' },
  ...[...LAST_WORDS, ...LAST_PARTS].flatMap((last) =>
    AFTER_NAME.map((after) => ({ word: `${last}${after}`, anyCase: true })),
  ),
];

/** A name and its sign; that of a command line's flag may be a space. */
const HEAD =
  /(?<![A-Za-z0-9_.-])(-{0,2})([A-Za-z][A-Za-z0-9_.-]{1,79})([ \t]{0,4}(?:=(?![=>~])|:(?![:=]|\/\/))[ \t]{0,8}|(?<=--[A-Za-z][A-Za-z0-9_.-]{1,79})[ \t]{1,4})/g;

/**
 * A value in quotes goes up to the next quote. A quote before a bracket, a comma or a colon is no opening one, but ends the
 * string that the name stands in: `"Enter your password:"}`. A value without quotes goes up to white space, and in a list
 * not beyond its comma, semicolon or ampersand.
 */
const VALUE =
  /(\\{0,7}["'])(?![ \t]{0,8}[,:)}\]])([^"'\\\r\n]{4,})|(?:[^\s"'`\\<>,;&]|[,;&](?![A-Za-z0-9_.-]{1,64}[=:]|\s|$)){4,}/y;

/** How a text may go on before an assignment that has a line for itself; line feeds may be escaped. */
const LINE_START = /(?:^|[\r\n]|\\[nr])[ \t]{0,16}(?:(?:export|set|[-*#])[ \t]{1,4})?$/;
const CALL = /^[A-Za-z_$][\w$.]*[([]/;
const PATH_IN_CODE = /^[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+$/;
const REFERENCE = /^(?:\$\{?\w+\}?|\$\(.*|\{\{.*|%\w+%|\*+|\.{3,})$/;

/** What code and prose say of a secret without giving one. */
const WORDS = new Set(
  (
    'string number boolean object undefined null none true false unknown never bytes optional required ' +
    'flag option argument parameter switch value from with that when into instead before after must should will'
  ).split(' '),
);

interface Assignment {
  readonly name: string;
  readonly sign: string;
  readonly value: string;
  readonly isQuoted: boolean;
  readonly startsLine: boolean;
  /** `NAME=value` and nothing else on the line, as in a file of settings. */
  readonly isSetting: boolean;
}

/**
 * Sees through assignments in running text: `password=…`, `DB_PASSWORD=…`, `PASSWORD: …`, `--token …`.
 *
 * @param open is told where a value starts that more text may still change
 */
export function spliceAssignments(
  text: string,
  keys: KeyRules,
  taught: (secret: string) => void,
  open?: (at: number) => void,
): readonly Splice[] {
  let splices: Splice[] | null = null;
  let end: OpenEnd | null = null;
  HEAD.lastIndex = 0;
  for (let head = HEAD.exec(text); head !== null; head = HEAD.exec(text)) {
    const name = nameOf(text, head);
    if (keys.verdict(name) === null || namesHeader(name)) continue;
    if (open !== undefined) {
      end ??= new OpenEnd(text);
      if (end.isReachedFrom(HEAD.lastIndex)) open(HEAD.lastIndex);
    }
    VALUE.lastIndex = HEAD.lastIndex;
    const value = VALUE.exec(text);
    if (value === null) continue;
    HEAD.lastIndex = VALUE.lastIndex;
    const found = assignment(text, name, head, value);
    if (!isSecret(found, keys)) continue;
    if (teaches(found)) taught(found.value);
    const from = value.index + (value[1] ?? '').length;
    splices ??= [];
    splices.push({ from, to: from + found.value.length, by: REDACTED });
  }
  return splices ?? NO_SPLICES;
}

/** Without the last letter of an escape that stands before it (`\nDB_PASSWORD` of JSON text inside a string). */
function nameOf(text: string, head: RegExpExecArray): string {
  const [, , name = ''] = head;
  return isAfterEscape(text, head) ? name.slice(1) : name;
}

function isAfterEscape(text: string, { index, 2: name = '' }: RegExpExecArray): boolean {
  return text[index - 1] === '\\' && /^[bfnrt]/.test(name);
}

function assignment(text: string, name: string, head: RegExpExecArray, value: RegExpExecArray): Assignment {
  const [, dashes = '', , sign = ''] = head;
  const [bare, , quoted] = value;
  const startsLine = isAfterEscape(text, head) || LINE_START.test(text.slice(Math.max(0, head.index - 28), head.index));
  const after = text.slice(value.index + bare.length, value.index + bare.length + 2);
  const isSetting = startsLine && dashes === '' && sign === '=' && /^(?:$|[\r\n]|\\[nr])/.test(after);
  return {
    name,
    sign,
    value: quoted ?? (isSetting || bare.includes(REDACTED) ? bare : bare.replace(/[)\]}.]{1,8}$/, '')),
    isQuoted: quoted !== undefined,
    startsLine,
    isSetting,
  };
}

function isSecret(found: Assignment, keys: KeyRules): boolean {
  const { name, sign, value, isQuoted, startsLine, isSetting } = found;
  if (value.replace(/\s/g, '').length < 4 || value.includes(REDACTED)) return false;
  if (WORDS.has(value.toLowerCase()) || keys.spares(name, value, () => false)) return false;
  // A count: only text is a secret under such a key.
  if (wordsOf(name).at(-1) === 'token' && /^[\d.]+$/.test(value)) return false;
  if (REFERENCE.test(value)) return false;
  if (sign.trim() === '') return !value.startsWith('-');
  if (isQuoted || isSetting) return true;
  if (CALL.test(value) || PATH_IN_CODE.test(value)) return false;
  // After a colon, or with spaces around the sign, a word in the middle of a sentence is most likely prose.
  return sign === '=' || startsLine || looksMade(value);
}

/** What is only told by the word before it may be a word itself, which must not vanish from the rest of a session. */
function teaches({ sign, value, isQuoted }: Assignment): boolean {
  return isQuoted || sign === '=' || looksMade(value);
}

function looksMade(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}
