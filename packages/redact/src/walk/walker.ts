import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type PathSegment,
  StepforkError,
  setKey,
  sortKeys,
  tagOf,
  toPointer,
} from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { Found } from '../findings.js';
import { type KeyVerdict, stricter } from '../keys/key-rule.js';
import { looksSecret } from '../keys/secret-value.js';
import type { SecretMemory } from '../memory/memory.js';
import { endsHere, type PointerSteps, stepInto } from '../pointer-rules.js';
import { REDACTED } from '../replacement.js';
import { redactText } from '../text/text-redactor.js';
import { base64Of, REDACTED_BASE64, redactBase64 } from './bytes.js';
import { CleanCheck } from './clean.js';
import { hasQuery, isNamedPair, isPairList, nameOfValue } from './pairs.js';
import { contentField, isKindField, isWithoutText } from './tags.js';

/** What canonical JSON can hold at most; also the guard against a cycle. */
const MAX_DEPTH = 1000;

/** What is known of a place before its value is looked at. */
interface Place {
  /** What the keys on the way to it say. */
  readonly verdict: KeyVerdict;
  /** Where pointer rules may lead from here. */
  readonly steps: PointerSteps;
  /** Whether the keys of the value are names of a query's parameters. */
  readonly isQuery?: boolean;
}

/** Takes the texts of a payload, instead of their being redacted one by one; answers what is to stand there for now. */
export type TextTaker = (text: string, path: readonly PathSegment[], isBytes: boolean) => string;

/** One pass over one or more payloads. Changed containers are copied, unchanged ones are answered as they are. */
export class Walker {
  readonly found: Found[] = [];
  /** What was redacted and is to be looked for elsewhere. */
  readonly taught: string[] = [];
  readonly #rules: CompiledRules;
  readonly #memory: SecretMemory;
  readonly #clean: CleanCheck;
  readonly #path: PathSegment[] = [];
  readonly #take: TextTaker | null;
  /** How many segments stand before the root of the payload. */
  #root = 0;

  constructor(
    rules: CompiledRules,
    memory: SecretMemory,
    take: TextTaker | null = null,
    clean = new CleanCheck(rules, memory),
  ) {
    this.#rules = rules;
    this.#memory = memory;
    this.#clean = clean;
    this.#take = take;
  }

  /** Redacts a payload that stands under `base`, and that `key` names where there is one. */
  payload(value: Json, base: readonly PathSegment[] = [], key: string | null = null): Json {
    const verdict = key === null || !this.#rules.wide ? null : this.#verdict(key, value, null);
    if (verdict === null && this.#take === null && this.#clean.isClean(value)) return value;
    this.#path.push(...base);
    this.#root = base.length;
    try {
      return this.#value(value, { verdict, steps: this.#rules.pointers });
    } finally {
      this.#path.length = 0;
    }
  }

  /** Redacts text that is no payload: a tool's name, an error's message. Pointers and functions have no say in it. */
  field(text: string, path: readonly PathSegment[]): string {
    this.#path.push(...path);
    try {
      return this.#text(text);
    } finally {
      this.#path.length = 0;
    }
  }

  #value(value: Json, place: Place): Json {
    if (this.#rules.functions.length > 0 && this.#isChosen(value)) return this.#whole(value, 'function');
    if (endsHere(place.steps)) return this.#whole(value, 'pointer');
    if (place.verdict === 'whole') return this.#whole(value, 'sensitive_key');
    if (typeof value === 'string') return this.#string(value, place);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#path.length > MAX_DEPTH) throw tooDeep();
    return isJsonArray(value) ? this.#array(value, place) : this.#object(value as JsonObject, place);
  }

  #isChosen(value: Json): boolean {
    if (value === REDACTED) return false;
    const path = this.#path.slice(this.#root);
    const place = { path: toPointer(path), key: path.at(-1) ?? null };
    try {
      return this.#rules.functions.some((rule) => rule(value, place) === true);
    } catch (cause) {
      // Its message may hold the very value, so it stays in the cause.
      throw new StepforkError(
        'redaction_function_failed',
        `a redaction function threw at '${place.path}'; it must answer true or false for every value`,
        { details: { path: place.path }, cause },
      );
    }
  }

  #whole(value: Json, reason: string): Json {
    if (value === REDACTED) return value;
    this.#note(reason);
    if (this.#rules.wide) this.#teach(value);
    return REDACTED;
  }

  #string(text: string, { verdict }: Place): string {
    if (verdict === null) return this.#text(text);
    if (verdict === 'judged' && !looksSecret(text)) return this.#judged(text);
    return text === '' ? text : (this.#whole(text, 'sensitive_key') as string);
  }

  /** What holds a secret goes whole, as it would if it came with the replacement. */
  #judged(text: string): string {
    const redacted = this.#text(text);
    return redacted.includes(REDACTED) ? REDACTED : redacted;
  }

  readonly #text = (text: string, isBytes = false): string => {
    if (this.#take !== null) return this.#take(text, this.#path, isBytes);
    const result = redactText(text, this.#rules.text, this.#memory, this.#learn);
    if (result === null) return text;
    this.#note(result.reason, result.rule);
    return result.text;
  };

  #array(list: readonly Json[], place: Place): Json {
    const named = this.#rules.wide && isPairList(list);
    return named ? this.#pairs(list, place) : this.#items(list, place, place.verdict);
  }

  /** Items that are a name and its value, as far as they are. */
  #pairs(list: readonly Json[], place: Place): Json {
    let copy: Json[] | null = null;
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as Json;
      this.#path.push(index);
      const inner = below(place, index, place.verdict);
      const verdict = isNamedPair(item) ? stricter(this.#verdict(item[0], item[1], null), place.verdict) : null;
      const result = isNamedPair(item)
        ? this.#items(item, { ...inner, verdict: null }, verdict)
        : this.#value(item, inner);
      this.#path.pop();
      if (result !== item) {
        copy ??= list.slice();
        copy[index] = result;
      }
    }
    return copy ?? list;
  }

  /** @param last the verdict for the last item; the others are under that of the place */
  #items(list: readonly Json[], place: Place, last: KeyVerdict): Json {
    let copy: Json[] | null = null;
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as Json;
      this.#path.push(index);
      const result = this.#value(item, below(place, index, index === list.length - 1 ? last : place.verdict));
      this.#path.pop();
      if (result !== item) {
        copy ??= list.slice();
        copy[index] = result;
      }
    }
    return copy ?? list;
  }

  #object(object: JsonObject, place: Place, keys = Object.keys(object), inOrder = false): Json {
    const tag = this.#rules.wide ? tagOf(object) : null;
    if (tag !== null && place.verdict !== null && contentField(tag) === null) {
      return isWithoutText(tag) ? object : this.#whole(object, 'sensitive_key');
    }
    const foundBefore = this.found.length;
    const taughtBefore = this.taught.length;
    let copy: { [key: string]: Json } | null = null;
    let met = 1;
    for (const key of keys) {
      const item = object[key] as Json;
      const facts = this.#rules.aboutKey(key);
      let name = facts.plain && this.#memory.isClear(key) ? key : this.#name(key);
      if (name !== key && !inOrder) {
        // New names may meet: who gets which must not hang on the order in which the object was built.
        this.found.length = foundBefore;
        this.taught.length = taughtBefore;
        return this.#object(object, place, sortKeys(keys), true);
      }
      while (name !== key && Object.hasOwn(copy ?? object, name)) name = `${REDACTED} (${++met})`;
      this.#path.push(name);
      if (name !== key) this.#note('credential_pattern');
      let verdict = facts.verdict === null ? place.verdict : stricter(this.#verdict(key, item, object), place.verdict);
      if (key === 'value' && this.#rules.wide) verdict = stricter(verdict, this.#namedVerdict(object, item));
      if (place.isQuery === true) verdict = stricter(verdict, this.#parameterVerdict(key, item, object));
      const isQuery = key === 'query' && this.#rules.wide && hasQuery(object);
      const inner = below(place, key, verdict, isQuery);
      const result = tag === null ? this.#value(item, inner) : this.#tagField(object, tag, key, item, inner);
      this.#path.pop();
      if (result === item && name === key) continue;
      copy ??= { ...object };
      if (name !== key) delete copy[key];
      setKey(copy, name, result);
    }
    return copy ?? object;
  }

  /** What the name in `{ "name": "…", "value": "…" }` says of the value. */
  #namedVerdict(object: JsonObject, value: Json): KeyVerdict {
    const name = nameOfValue(object);
    return name === null ? null : this.#verdict(name, value, object);
  }

  /** A field of a value that JSON has no form for, so that the value can still be decoded. */
  #tagField(object: JsonObject, tag: string, key: string, item: Json, place: Place): Json {
    if (isKindField(object, key)) return this.#value(item, { ...place, verdict: null });
    if (tag === 'bytes' && key === 'base64') {
      const base64 = base64Of(object);
      if (base64 !== null) return this.#base64(base64);
    }
    const isEntries = key === 'entries' && contentField(tag) === key;
    return isEntries && isJsonArray(item) ? this.#pairs(item, place) : this.#value(item, place);
  }

  /** Binary data: the text in it, or a secret that was handed out in Base64 and decoded by the agent. */
  #base64(base64: string): string {
    if (!this.#memory.knows(base64)) return redactBase64(base64, (text) => this.#text(text, true));
    if (base64 !== REDACTED_BASE64) this.#note('recurring_secret');
    return REDACTED_BASE64;
  }

  #verdict(key: string, value: Json, around: JsonObject | null): KeyVerdict {
    return this.#unlessSpared(this.#rules.aboutKey(key).verdict, key, value, around);
  }

  #parameterVerdict(name: string, value: Json, around: JsonObject): KeyVerdict {
    return this.#unlessSpared(this.#rules.keys.parameter(name), name, value, around);
  }

  #unlessSpared(verdict: KeyVerdict, key: string, value: Json, around: JsonObject | null): KeyVerdict {
    if (verdict !== 'texts') return verdict;
    const hasSibling = (name: string): boolean => around !== null && Object.hasOwn(around, name);
    return this.#rules.keys.spares(key, value, hasSibling) ? null : verdict;
  }

  /** A key without the credentials in it. */
  #name(key: string): string {
    return redactText(key, this.#rules.text, this.#memory, this.#learn)?.text ?? key;
  }

  #note(reason: string, rule = reason): void {
    this.found.push({ path: [...this.#path], reason, rule });
  }

  readonly #learn = (secret: string): void => {
    this.taught.push(secret);
  };

  /** Every string of a value that was redacted whole. */
  #teach(value: Json): void {
    if (typeof value === 'string') this.taught.push(value);
    else if (isJsonArray(value)) for (const item of value) this.#teach(item);
    else if (isJsonObject(value) && this.#rules.keys.teaches(value)) {
      for (const [key, item] of Object.entries(value)) if (!isKindField(value, key)) this.#teach(item);
    }
  }
}

function below(place: Place, segment: PathSegment, verdict: KeyVerdict, isQuery = false): Place {
  if (place.steps === null && place.verdict === verdict && (place.isQuery === true) === isQuery) return place;
  return { verdict, steps: stepInto(place.steps, segment), isQuery };
}

function tooDeep(): StepforkError {
  return new StepforkError('not_canonical', `a value is nested deeper than ${MAX_DEPTH}, or holds itself`);
}
