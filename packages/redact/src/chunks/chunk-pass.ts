import { carryFloats, type Json } from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { Found } from '../findings.js';
import type { SecretMemory } from '../memory/memory.js';
import { spliced } from '../text/splice.js';
import { isQuiet, unsettledFrom } from '../text/unsettled.js';
import { Walker } from '../walk/walker.js';
import { ChunkPiece } from './chunk-piece.js';
import { type ChangedText, type ChunkText, withTexts } from './chunk-text.js';
import { FramedText } from './frames/framed-text.js';
import { Recent } from './recent.js';
import { Identities } from './text-identity.js';
import { TextPlaces } from './text-places.js';

/** So many chunks, and so many characters in them, wait for one that is held back; beyond, all go. */
const MAX_WAITING = 16_384;
const MAX_WAITING_TEXT = 1024 * 1024;
/** Texts that are searched for documents; beyond, those that were not seen for longest begin anew. */
const MAX_FRAMED = 256;

type PlacedText = ChunkText & { readonly piece: ChunkPiece };

interface Waiting {
  readonly index: number;
  readonly source: Json;
  readonly value: Json;
  readonly found: readonly Found[];
  readonly texts: readonly PlacedText[];
  /** How many of its texts are settled, knowing how much. */
  settled: number;
  lessons: number;
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
  readonly #places: TextPlaces;
  readonly #framed = new Recent<FramedText>(MAX_FRAMED);
  readonly #waiting: Waiting[] = [];
  #waitingText = 0;
  #count = 0;
  #lessons = 0;

  /** @param isWhole nothing is waited for before the end, so that each text is looked at once, and as a whole */
  constructor(rules: CompiledRules, memory: SecretMemory, isWhole = false) {
    this.#isWhole = isWhole;
    this.#rules = rules;
    this.#memory = memory;
    this.#places = new TextPlaces({ rules: rules.text, memory, lessons: () => this.#lessons, learn: this.#learn });
  }

  /** Takes the next one, and answers those that are done. */
  add(chunk: Json): readonly CleanChunk[] {
    const { value, found, texts } = this.#walk(chunk);
    const identities = new Identities(value);
    const placed = texts.map((text) => ({ ...text, piece: this.#pieceOf(text, identities) }));
    for (const { text } of texts) this.#waitingText += text.length;
    this.#waiting.push({ index: this.#count++, source: chunk, value, found, texts: placed, settled: 0, lessons: 0 });
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

  #pieceOf({ text, path, isBytes }: ChunkText, identities: Identities): ChunkPiece {
    const identity = identities.of(path, isBytes);
    const framed = this.#framed.get(identity.flat, () => new FramedText(identity.flat, this.#places, this.#isTelling));
    return new ChunkPiece(this.#places.add(identity, text), framed, framed.add(text), identity);
  }

  readonly #isTelling = (text: string): boolean => {
    const rules = this.#rules.text;
    return !isQuiet(text, rules, this.#memory, 0) && unsettledFrom(text, rules, this.#memory, 0) < text.length;
  };

  /** Answers the rest. */
  end(): readonly CleanChunk[] {
    const pieces = this.#waiting.flatMap(({ texts }) => texts.map(({ piece }) => piece));
    const framed = new Set(pieces.map((piece) => piece.framed));
    for (const text of framed) text.finish();
    const all = new Set([...pieces, ...framed].flatMap(({ texts }) => texts));
    for (let lessons = -1; lessons !== this.#lessons; ) {
      lessons = this.#lessons;
      // All are looked at before anything is learned: what ends here may be a part of what goes on elsewhere.
      this.#places.finish(all);
    }
    return this.#give(this.#waiting.length);
  }

  /** Gives out the first ones, by default those that are settled. */
  #give(ready = this.#settled()): readonly CleanChunk[] {
    return this.#waiting.splice(0, ready).map((chunk) => this.#given(chunk));
  }

  #settled(): number {
    let ready = 0;
    for (const chunk of this.#waiting) {
      if (!this.#isSettled(chunk)) break;
      ready++;
    }
    return ready;
  }

  /** Whether all texts of a chunk are settled; those that were are asked again when something was learned. */
  #isSettled(chunk: Waiting): boolean {
    if (chunk.lessons !== this.#lessons) chunk.settled = 0;
    chunk.lessons = this.#lessons;
    for (; chunk.settled < chunk.texts.length; chunk.settled++) {
      if (!(chunk.texts[chunk.settled] as PlacedText).piece.isSettled(this.#lessons)) return false;
    }
    return true;
  }

  #given({ index, source, value, found, texts }: Waiting): CleanChunk {
    const changed: ChangedText[] = [];
    const inTexts: Found[] = [];
    for (const { piece, text, path, isBytes } of texts) {
      const splices = piece.take();
      this.#waitingText -= text.length;
      const rule = splices.find((splice) => splice.rule !== undefined)?.rule;
      if (rule === undefined) continue;
      changed.push({ path, isBytes, by: spliced(text, splices) });
      inTexts.push({ path, reason: rule.reason, rule: rule.id });
    }
    const result = withTexts(value, changed);
    if (result !== source) carryFloats(source, result);
    return { index, value: result, found: [...found, ...inTexts] };
  }
}
