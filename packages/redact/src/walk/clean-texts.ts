import type { SecretMemory } from '../memory/memory.js';

/** Shorter texts are looked at faster than they are looked up. */
const SHORTEST = 32;
/** In characters, of all that are remembered. */
const MOST = 4 * 1024 * 1024;

/**
 * Texts of which it is known that no rule has anything to say: a conversation sends all that was said before with every
 * request. What is learned later may stand in any of them.
 */
export class CleanTexts {
  readonly #memory: SecretMemory;
  readonly #texts = new Set<string>();
  #characters = 0;
  #lessons = 0;

  constructor(memory: SecretMemory) {
    this.#memory = memory;
  }

  has(text: string): boolean {
    if (text.length < SHORTEST) return false;
    if (this.#lessons !== this.#memory.lessons) this.#forget();
    return this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length < SHORTEST || text.length > MOST) return;
    this.#characters += text.length;
    if (this.#characters > MOST) {
      this.#forget();
      this.#characters = text.length;
    }
    this.#texts.add(text);
  }

  #forget(): void {
    this.#texts.clear();
    this.#characters = 0;
    this.#lessons = this.#memory.lessons;
  }
}
