import { isJsonArray, type Json, type JsonObject, tagOf } from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { SecretMemory } from '../memory/memory.js';
import { redactText } from '../text/text-redactor.js';
import type { CleanTexts } from './clean-texts.js';
import { hasQuery, isPairList, nameOfValue } from './pairs.js';

/** Deeper values are left to the walk, which knows what to say of them. */
const MAX_DEPTH = 500;

/**
 * Whether no rule has anything to say about a payload. Nearly all are such, and this tells it without the
 * book-keeping of a walk; where it is in doubt it answers false, and the walk decides.
 */
export class CleanCheck {
  readonly #rules: CompiledRules;
  readonly #memory: SecretMemory;
  readonly #isOff: boolean;
  readonly #known: CleanTexts | null;

  /** @param known remembers the texts that are clean, where they come again */
  constructor(rules: CompiledRules, memory: SecretMemory, known: CleanTexts | null = null) {
    this.#rules = rules;
    this.#memory = memory;
    this.#known = known;
    this.#isOff = rules.pointers !== null || rules.functions.length > 0;
  }

  isClean(value: Json): boolean {
    return !this.#isOff && this.#value(value, 0);
  }

  #value(value: Json, depth: number): boolean {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return true;
    if (depth > MAX_DEPTH) return false;
    return isJsonArray(value) ? this.#array(value, depth) : this.#object(value as JsonObject, depth);
  }

  #text(text: string): boolean {
    if (this.#known?.has(text) === true) return true;
    const isClean = redactText(text, this.#rules.text, this.#memory, IGNORE) === null;
    if (isClean) this.#known?.add(text);
    return isClean;
  }

  #array(list: readonly Json[], depth: number): boolean {
    if (isPairList(list) && list.some((pair) => this.#isTelling((pair as readonly string[])[0] as string)))
      return false;
    for (let index = 0; index < list.length; index++) {
      if (!this.#value(list[index] as Json, depth + 1)) return false;
    }
    return true;
  }

  #object(object: JsonObject, depth: number): boolean {
    // The engine goes through an object's own keys fastest this way; an inherited one could only raise doubt.
    for (const key in object) {
      const facts = this.#rules.aboutKey(key);
      if (facts.verdict !== null || !facts.plain || !this.#memory.isClear(key)) return false;
      if (key === 'value' && this.#isNamed(object)) return false;
      if (key === 'query' && this.#isTellingQuery(object)) return false;
      if ((key === 'base64' || key === 'entries') && tagOf(object) !== null) return false;
      if (!this.#value(object[key] as Json, depth + 1)) return false;
    }
    return true;
  }

  #isNamed(object: JsonObject): boolean {
    const name = nameOfValue(object);
    return name !== null && this.#isTelling(name);
  }

  #isTellingQuery(object: JsonObject): boolean {
    return (
      hasQuery(object) &&
      Object.keys(object.query as JsonObject).some((name) => this.#rules.keys.parameter(name) !== null)
    );
  }

  #isTelling(name: string): boolean {
    return this.#rules.aboutKey(name).verdict !== null;
  }
}

const IGNORE = (): void => {};
