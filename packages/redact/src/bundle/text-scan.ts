import {
  isJsonObject,
  type Json,
  type JsonObject,
  PAYLOAD_FIELDS,
  type PathSegment,
  parseJson,
  toPointer,
} from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import { keyOfPayloads } from '../fields/event-fields.js';
import { NO_MEMORY, type SecretMemory } from '../memory/memory.js';
import { redactText } from '../text/text-redactor.js';
import { Walker } from '../walk/walker.js';
import { type TextKind, takeOwnPointers } from './own-pointers.js';
import { repeatsKey } from './repeated-key.js';

/** A place in a text where a rule strikes. */
export interface Hit {
  /** JSON Pointer, where the text is JSON. */
  readonly path: string | null;
  readonly rule: string;
}

/** Looks with the rules at the texts of a bundle. What strikes is learned, and looked for in what follows. */
export class TextScan {
  readonly #rules: CompiledRules;
  /** Without what is said of payloads alone. */
  readonly #general: CompiledRules;
  readonly #memory: SecretMemory;
  /** Whether something was learned. */
  grew = false;

  constructor(rules: CompiledRules, memory: SecretMemory) {
    this.#rules = rules;
    this.#general = { ...rules, pointers: null, functions: [] };
    this.#memory = memory;
  }

  /** JSON by the value it is; null for text that is none. */
  json(text: string, kind: TextKind): readonly Hit[] | null {
    const parsed = parsedText(text);
    if (parsed === null) return null;
    const hits = this.#value(parsed.value, kind);
    return repeatsKey(text, parsed.value) ? [...hits, ...this.text(text)] : hits;
  }

  /** Text that is no JSON, or says more than its value. */
  text(text: string): readonly Hit[] {
    const rule = this.#ruleIn(text);
    return rule === null ? [] : [{ path: null, rule }];
  }

  #ruleIn(text: string): string | null {
    const [rule = null] = this.#memories().flatMap((memory): readonly string[] => {
      const taught: string[] = [];
      const result = redactText(text, this.#rules.text, memory, (secret) => taught.push(secret));
      this.#learn(taught);
      return result === null ? [] : [result.rule];
    });
    return rule;
  }

  #value(value: Json, kind: TextKind): readonly Hit[] {
    const { rest, pointers } = takeOwnPointers(value, kind);
    const walkers = this.#memories().map((memory) => new Walker(this.#general, memory));
    for (const walker of walkers) walker.payload(rest);
    if (kind === 'event' && isJsonObject(rest)) walkers.push(this.#payloads(rest));
    const ruleAt = new Map<string, string>();
    const add = (path: string, rule: string): void => void (ruleAt.has(path) || ruleAt.set(path, rule));
    for (const { taught, found } of walkers) {
      this.#learn(taught);
      for (const { path, rule } of found) add(toPointer(path.map(this.#shown)), rule);
    }
    for (const { at, keys } of pointers) {
      for (const rule of keys.map((key) => this.#ruleIn(key))) if (rule !== null) add(at, rule);
    }
    return [...ruleAt].map(([path, rule]) => ({ path, rule }));
  }

  /** A step of a path: a key may be what was found to be secret elsewhere. */
  readonly #shown = (segment: PathSegment): PathSegment =>
    typeof segment === 'string' ? this.#memory.redact(segment) : segment;

  /** A rule that strikes by itself says more than that something recurs, so that it is asked first. */
  #memories(): readonly SecretMemory[] {
    return this.#memory.isEmpty ? [NO_MEMORY] : [NO_MEMORY, this.#memory];
  }

  /** The payloads of an event by themselves: pointers, functions and a changed state's key are about them. */
  #payloads(event: JsonObject): Walker {
    const walker = new Walker(this.#rules, NO_MEMORY);
    const type = Object.hasOwn(event, 'type') ? String(event.type) : '';
    const isKnown = Object.hasOwn(PAYLOAD_FIELDS, type);
    const key = keyOfPayloads(event);
    const hasOwnRules = this.#rules.pointers !== null || this.#rules.functions.length > 0 || key !== null;
    if (!isKnown || !hasOwnRules) return walker;
    for (const { name } of PAYLOAD_FIELDS[type as keyof typeof PAYLOAD_FIELDS]) {
      if (Object.hasOwn(event, name)) walker.payload(event[name] as Json, [name], key);
    }
    return walker;
  }

  #learn(taught: readonly string[]): void {
    if (this.#memory.learn(taught)) this.grew = true;
  }
}

function parsedText(text: string): { readonly value: Json } | null {
  try {
    return { value: parseJson(text, { nonFinite: true }) };
  } catch {
    return null;
  }
}
