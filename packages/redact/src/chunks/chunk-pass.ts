import { carryFloats, type Json, toPointer } from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { Found } from '../findings.js';
import type { SecretMemory } from '../memory/memory.js';
import { Walker } from '../walk/walker.js';
import { AssembledText, type Span } from './assembled-text.js';
import { type ChunkText, withText } from './chunk-text.js';

/** So many chunks, and so many characters in them, wait for one that is held back; beyond, all go. */
const MAX_WAITING = 16_384;
const MAX_WAITING_TEXT = 1024 * 1024;
/** Places whose texts are put together; beyond, those that were not seen for longest begin anew. */
const MAX_PLACES = 256;

interface Waiting {
  readonly index: number;
  readonly source: Json;
  readonly value: Json;
  readonly found: readonly Found[];
  readonly texts: readonly (ChunkText & { readonly assembled: AssembledText; readonly span: Span })[];
}

/** A chunk without its secrets, as long as it matters which rule struck. */
export interface CleanChunk {
  readonly index: number;
  readonly value: Json;
  readonly found: readonly Found[];
}

/** Goes over the chunks of one stream. */
export class ChunkPass {
  readonly #isWhole: boolean;
  readonly #rules: CompiledRules;
  readonly #memory: SecretMemory;
  readonly #places = new Map<string, AssembledText>();
  readonly #waiting: Waiting[] = [];
  #waitingText = 0;
  #count = 0;
  #lessons = 0;

  /** @param isWhole nothing is waited for before the end, so that each text is looked at once, and as a whole */
  constructor(rules: CompiledRules, memory: SecretMemory, isWhole = false) {
    this.#isWhole = isWhole;
    this.#rules = rules;
    this.#memory = memory;
  }

  /** Takes the next one, and answers those that are done. */
  add(chunk: Json): readonly CleanChunk[] {
    const { value, found, texts } = this.#walk(chunk);
    const placed = texts.map((text) => {
      const assembled = this.#textAt(toPointer(text.path));
      return { ...text, assembled, span: assembled.add(text.text) };
    });
    for (const { text } of texts) this.#waitingText += text.length;
    this.#waiting.push({ index: this.#count++, source: chunk, value, found, texts: placed });
    if (this.#isWhole) return [];
    const isTooMuch = this.#waiting.length > MAX_WAITING || this.#waitingText > MAX_WAITING_TEXT;
    return isTooMuch && this.#waiting.length > 1 ? this.end() : this.#give();
  }

  /** Applies the rules that are about a value, not about text, and gathers the texts. */
  #walk(chunk: Json): { readonly value: Json; readonly found: readonly Found[]; readonly texts: readonly ChunkText[] } {
    let value = chunk;
    let found: readonly Found[] = [];
    for (;;) {
      const texts: ChunkText[] = [];
      const walker = new Walker(this.#rules, this.#memory, (text, path, isBytes) => {
        if (text !== '') texts.push({ text, path: [...path], isBytes });
        return text;
      });
      value = walker.payload(value);
      found = found.concat(walker.found);
      if (!this.#learn(walker.taught)) return { value, found, texts };
    }
  }

  readonly #learn = (secrets: readonly string[]): boolean => {
    const isNew = this.#memory.learn(secrets);
    if (isNew) this.#lessons++;
    return isNew;
  };

  #textAt(pointer: string): AssembledText {
    const known = this.#places.get(pointer);
    const text =
      known ??
      new AssembledText({
        rules: this.#rules.text,
        memory: this.#memory,
        lessons: () => this.#lessons,
        learn: this.#learn,
      });
    // Last is what was seen last.
    if (known !== undefined) this.#places.delete(pointer);
    this.#places.set(pointer, text);
    if (this.#places.size > MAX_PLACES) this.#places.delete(this.#places.keys().next().value as string);
    return text;
  }

  /** Answers the rest. */
  end(): readonly CleanChunk[] {
    const all = new Set(this.#waiting.flatMap(({ texts }) => texts.map(({ assembled }) => assembled)));
    for (let lessons = -1; lessons !== this.#lessons; ) {
      lessons = this.#lessons;
      for (const text of all) text.finish();
    }
    return this.#give(this.#waiting.length);
  }

  /** Gives out the first ones, by default those that are settled. */
  #give(ready = this.#settled()): readonly CleanChunk[] {
    return this.#waiting.splice(0, ready).map((chunk) => this.#given(chunk));
  }

  #settled(): number {
    let ready = 0;
    for (const { texts } of this.#waiting) {
      if (!texts.every(({ assembled, span }) => assembled.isSettled(span.to))) break;
      ready++;
    }
    return ready;
  }

  #given({ index, source, value, found, texts }: Waiting): CleanChunk {
    let result = value;
    const inTexts: Found[] = [];
    for (const { assembled, span, ...place } of texts) {
      const { text, rule } = assembled.give(span);
      this.#waitingText -= place.text.length;
      if (rule === null) continue;
      result = withText(result, place, text);
      inTexts.push({ path: place.path, reason: rule.reason, rule: rule.id });
    }
    if (result !== source) carryFloats(source, result);
    return { index, value: result, found: [...found, ...inTexts] };
  }
}
