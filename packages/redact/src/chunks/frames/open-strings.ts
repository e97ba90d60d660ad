import { unescapeJson } from '../../text/json-span.js';

/** How much of what was said under a key is looked at together with what is said next. */
const MAX_TAIL = 512;

/** Reads the strings of JSON text that comes in pieces. */
export class OpenStrings {
  #isInside = false;
  #isEscaped = false;
  /** The string that has not ended, and the end of it. */
  readonly #parts: string[] = [];
  #open = '';
  /** The last string, of which the next character says whether it is a key. */
  #last: string | null = null;
  #key = '';
  readonly #tails = new Map<string, string>();

  /** What is said under each key up to here, by the strings that end in the next piece, and by one that does not. */
  saidIn(piece: string): readonly string[] {
    const said: string[] = [];
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] as string;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '"') {
        if (this.#isInside) said.push(this.#close(piece.slice(from, at)));
        this.#isInside = !this.#isInside;
        from = at + 1;
      } else if (this.#isInside) this.#isEscaped = character === '\\';
      else if (character > ' ') this.#tell(character === ':');
    }
    if (!this.#isInside) return said;
    this.#parts.push(piece.slice(from));
    this.#open = (this.#open + piece.slice(from)).slice(-MAX_TAIL);
    const before = this.#tails.get(this.#key);
    return before === undefined ? said : [...said, before + this.#open];
  }

  #close(end: string): string {
    this.#open = '';
    this.#last = unescapeJson(this.#parts.splice(0).join('') + end, 0);
    return this.#withLast();
  }

  /** Of the last string is known whether it is a key. */
  #tell(isKey: boolean): void {
    if (this.#last === null) return;
    if (isKey) this.#key = this.#last;
    else this.#tails.set(this.#key, this.#withLast());
    this.#last = null;
  }

  #withLast(): string {
    return ((this.#tails.get(this.#key) ?? '') + this.#last).slice(-MAX_TAIL);
  }
}
