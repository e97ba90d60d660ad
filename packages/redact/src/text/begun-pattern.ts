/** The end of the text. `$` would also match before a line feed under flag `m`. */
const END = '(?![\\s\\S])';

const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const ESCAPE = /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|k<[^>]*>|\d+|[\s\S])/uy;
const GROUP = /\((?:\?(?:<[=!]|[=!]|<[^>]*>|[a-z-]*:))?/y;

/**
 * A pattern that matches where a match of another begins and the text ends before the match does: whatever the other
 * wants to see, the end of the text will do as well. What it matches may go on to be a match, and nothing else that
 * reaches the end may.
 */
export function begunPattern({ source, flags }: RegExp): RegExp {
  return new RegExp(`(?:${begun(source, flags.includes('v'))})${END}`, `${flags.replace(/[dgy]/g, '')}d`);
}

function begun(source: string, setsNest: boolean): string {
  let result = '';
  let at = 0;
  while (at < source.length) {
    const group = matchAt(GROUP, source, at);
    if (group === '(?<=' || group === '(?<!' || group === '(?!') {
      // What lies before is there already; what must not follow does not follow the end.
      const end = endOfGroup(source, at, setsNest);
      const whole = source.slice(at, end);
      result += group === '(?!' ? `(?:${END}|${whole})` : whole;
      at = end;
    } else if (group !== '') {
      result += group;
      at += group.length;
    } else if (source[at] === '|' || source[at] === '^') {
      result += source[at];
      at++;
    } else if (source[at] === ')') {
      const quantifier = matchAt(QUANTIFIER, source, at + 1);
      result += `)${quantifier}`;
      at += 1 + quantifier.length;
    } else {
      const atom = atomAt(source, at, setsNest);
      const quantifier = matchAt(QUANTIFIER, source, at + atom.length);
      result += `(?:${atom}|${END})${quantifier}`;
      at += atom.length + quantifier.length;
    }
  }
  return result;
}

/** A character, a set of characters, or an escape. */
function atomAt(source: string, at: number, setsNest: boolean): string {
  if (source[at] === '[') return source.slice(at, endOfSet(source, at, setsNest));
  const escaped = matchAt(ESCAPE, source, at);
  if (escaped === '') return String.fromCodePoint(source.codePointAt(at) as number);
  // What a reference refers to may be there in part.
  return /^\\(?:k<|[1-9])/.test(escaped) ? `${escaped}|[\\s\\S]*` : escaped;
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? '';
}

/** Past the end of a set of characters, which may hold others under flag `v`. */
function endOfSet(source: string, start: number, setsNest: boolean): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[' && (depth === 0 || setsNest)) depth++;
    else if (source[at] === ']' && --depth === 0) return at + 1;
  }
  return source.length;
}

/** Past the closing parenthesis of the group that opens at `start`. */
function endOfGroup(source: string, start: number, setsNest: boolean): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '[') at = endOfSet(source, at, setsNest) - 1;
    else if (source[at] === '(') depth++;
    else if (source[at] === ')' && --depth === 0) return at + 1;
  }
  return source.length;
}
