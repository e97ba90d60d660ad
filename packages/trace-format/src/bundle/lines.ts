import { Buffer } from 'node:buffer';
import { StepforkError } from '../errors.js';
import { MAX_LINE_BYTES } from './layout.js';
import type { OpenMember } from './members.js';

const CHUNK = 1024 * 1024;
const LF = 10;
const CR = 13;

/** One line of a member, without its end. */
export interface MemberLine {
  /** Good until the next line is asked for. */
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** Where it starts in the file. */
  readonly offset: number;
  /** False for a last line that the file ends in the midst of. */
  readonly terminated: boolean;
}

/**
 * The lines of an open member, at flat memory. Lines end at LF, CRLF or a lone CR, and at nothing else: U+2028 is an
 * ordinary character here.
 *
 * @throws StepforkError `event_too_large` for a line beyond 64 MB
 */
export function* memberLines(member: OpenMember): Generator<MemberLine, void, undefined> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  let offset = 0;
  let number = 0;
  let afterCr = false;
  for (;;) {
    const read = member.read(buffer, filled, buffer.length - filled);
    const scanFrom = filled;
    filled += read;
    const view = buffer.subarray(0, filled);
    let start = 0;
    if (afterCr && view[0] === LF) start = 1;
    if (read > 0 && filled > 0) afterCr = false;
    const ends = new LineEnds(view, Math.max(start, scanFrom));
    for (let end = ends.next(); end !== -1; end = ends.next()) {
      if (end - start > MAX_LINE_BYTES) throw tooLarge(member.file, number + 1);
      yield { bytes: view.subarray(start, end), number: ++number, offset: offset + start, terminated: true };
      start = end + 1;
      if (view[end] === CR) {
        if (start === filled) afterCr = true;
        else if (view[start] === LF) ends.skipTo(++start);
      }
    }
    if (read === 0) {
      if (start < filled) {
        yield { bytes: view.subarray(start), number: ++number, offset: offset + start, terminated: false };
      }
      return;
    }
    offset += start;
    buffer.copyWithin(0, start, filled);
    filled -= start;
    if (filled > MAX_LINE_BYTES) throw tooLarge(member.file, number + 1);
    if (filled === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

/** Finds line ends with the two fast byte searches, each asked only when its last answer was passed. */
class LineEnds {
  readonly #view: Buffer;
  #from: number;
  #lf = -2;
  #cr = -2;

  constructor(view: Buffer, from: number) {
    this.#view = view;
    this.#from = from;
  }

  next(): number {
    if (this.#lf !== -1 && this.#lf < this.#from) this.#lf = this.#view.indexOf(LF, this.#from);
    if (this.#cr !== -1 && this.#cr < this.#from) this.#cr = this.#view.indexOf(CR, this.#from);
    const end = this.#cr === -1 || (this.#lf !== -1 && this.#lf < this.#cr) ? this.#lf : this.#cr;
    if (end !== -1) this.#from = end + 1;
    return end;
  }

  skipTo(from: number): void {
    this.#from = from;
  }
}

function tooLarge(file: string, line: number): StepforkError {
  return new StepforkError('event_too_large', `${file}:${line}: longer than ${MAX_LINE_BYTES} bytes`, {
    details: { file, line },
  });
}
