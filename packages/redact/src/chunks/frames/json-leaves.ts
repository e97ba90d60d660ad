import type { PathSegment } from '@stepfork/trace-format/write';
import { endOfString, unescapeJson } from '../../text/json-span.js';

/** A string in JSON text that is no key. */
export interface JsonLeaf {
  readonly path: readonly PathSegment[];
  /** Where its content stands, between the quotes. */
  readonly from: number;
  readonly to: number;
}

/** What is nested deeper is not looked into. */
const MAX_DEPTH = 64;
const TOKEN = /["{}[\],]/g;

interface Container {
  readonly isArray: boolean;
  segment: PathSegment;
  isKeyNext: boolean;
}

/** The strings in JSON text that is known to be sound. */
export function jsonLeaves(json: string): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = [];
  const open: Container[] = [];
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(json);
    if (found === null) return leaves;
    at = found.index + 1;
    const inside = open.at(-1);
    switch (found[0]) {
      case '{':
        open.push({ isArray: false, segment: '', isKeyNext: true });
        break;
      case '[':
        open.push({ isArray: true, segment: 0, isKeyNext: false });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inside?.isArray === true) inside.segment = (inside.segment as number) + 1;
        else if (inside !== undefined) inside.isKeyNext = true;
        break;
      default: {
        const from = found.index + 1;
        at = endOfString(json, found.index, 0);
        if (inside?.isKeyNext === true) {
          inside.segment = unescapeJson(json.slice(from, at - 1), 0);
          inside.isKeyNext = false;
        } else if (open.length <= MAX_DEPTH) {
          leaves.push({ path: open.map(({ segment }) => segment), from, to: at - 1 });
        }
      }
    }
  }
}

/** Where in the content as it is written each of the places in what it says stands; the places are in order. */
export function writtenPlaces(written: string, places: readonly number[]): readonly number[] {
  if (!written.includes('\\')) return places;
  const result: number[] = [];
  let at = 0;
  let said = 0;
  for (const place of places) {
    for (; said < place; said++) at += lengthAt(written, at);
    result.push(at);
  }
  return result;
}

/** Of one UTF-16 unit, as it is written. */
function lengthAt(written: string, at: number): number {
  if (written[at] !== '\\') return 1;
  return written[at + 1] === 'u' ? 6 : 2;
}
