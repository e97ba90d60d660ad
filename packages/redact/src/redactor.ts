import {
  carryFloats,
  type Finding,
  type Json,
  type Manifest,
  type RedactedEvent,
  type RedactedManifest,
  sealEvent,
  sealManifest,
  streamOf,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import { type ChunkRedactor, openChunkRedactor } from './chunks/chunk-redactor.js';
import { type PayloadPass, throughStreams } from './chunks/stream-value.js';
import { compileRules, fingerprintOf } from './compile.js';
import { keyOfPayloads, mapEventFields } from './fields/event-fields.js';
import { mapManifestTexts } from './fields/manifest-texts.js';
import { type Found, toFindings, withKnown } from './findings.js';
import { learningInto, NO_MEMORY, SessionMemory } from './memory/memory.js';
import type { RedactOptions, RulesetName } from './options.js';
import { checkEventStructure, checkManifestStructure } from './protected.js';
import { CleanCheck } from './walk/clean.js';
import { CleanTexts } from './walk/clean-texts.js';
import { Walker } from './walk/walker.js';

/** A value without its secrets, and where they were. */
export interface RedactedValue {
  readonly value: Json;
  /** Paths from the value's root (the empty string), in the order of the places. */
  readonly findings: readonly Finding[];
}

/**
 * Takes secrets out of the values of one session, in the order in which they come: what a rule redacted in one is
 * looked for in all that follow. A session has a redactor of its own; a replay has one too, and shows it every value
 * that the recording showed to its own, in the same order.
 */
export interface Redactor {
  readonly ruleset: RulesetName;
  /** SHA-256 of the rules, 64 hex digits: equal for equal rules. */
  readonly fingerprint: string;
  /** Redacts one payload. The value is not changed; what holds no secret is answered as it is. */
  readonly redact: (value: Json) => RedactedValue;
  /**
   * Redacts what an event holds, and adds the places to its `redactions`.
   *
   * @param known places in it that were redacted before, such as chunks of a stream; paths from the event's root
   * @throws StepforkError `credential_in_protected_field`.
   */
  readonly redactEvent: (event: TraceEvent, known?: readonly Finding[]) => RedactedEvent;
  /** @throws StepforkError `credential_in_protected_field`. */
  readonly redactManifest: (manifest: Manifest) => RedactedManifest;
  /** For the chunks of one stream, whose texts go on from chunk to chunk. */
  readonly openChunks: () => ChunkRedactor;
}

/**
 * Makes the redactor of one session.
 *
 * @throws StepforkError `bad_redaction_rule` for a rule that is none.
 */
export function createRedactor(options: RedactOptions = {}): Redactor {
  const rules = compileRules(options);
  const memory = rules.wide ? new SessionMemory() : NO_MEMORY;
  const clean = new CleanCheck(rules, memory);
  const cleanRequests = new CleanCheck(rules, memory, new CleanTexts(memory));

  /** Goes over a value until nothing new is learned from it: a secret may stand before the key that gives it away. */
  const settle = <T>(
    value: T,
    pass: (walker: Walker, value: T, payload: PayloadPass) => T,
    check = clean,
  ): { value: T; found: readonly Found[] } => {
    let current = value;
    let found: Found[] = [];
    for (;;) {
      const walker = new Walker(rules, memory, null, check);
      const all: PayloadPass = (payload, base, key) => walker.payload(payload, base, key);
      const lessons = learningInto(memory, walker.taught);
      current = pass(walker, current, throughStreams(rules, lessons, walker.found, all));
      found = found.concat(walker.found);
      if (!memory.learn(walker.taught)) return { value: current, found };
    }
  };

  return {
    ruleset: rules.ruleset,
    get fingerprint() {
      return fingerprintOf(rules);
    },
    redact: (value) => {
      // What nearly every value comes to. The texts of a stream's chunks go on from one to the next.
      if (streamOf(value) === null && clean.isClean(value)) return { value, findings: [] };
      const result = settle(value, (_walker, current, payload) => payload(current, [], null));
      carryFloats(value, result.value);
      return { value: result.value, findings: toFindings(result.found) };
    },
    redactEvent: (event, known = []) => {
      checkEventStructure(event, rules);
      const result = settle(event, redactFields, event.type === 'llm_request' ? cleanRequests : clean);
      return sealEvent(result.value, withKnown(result.found, known), event);
    },
    redactManifest: (manifest) => {
      checkManifestStructure(manifest, rules);
      const result = settle(manifest, redactManifestTexts);
      return sealManifest(result.value, toFindings(result.found));
    },
    openChunks: () => openChunkRedactor(rules, memory),
  };
}

function redactFields(walker: Walker, event: TraceEvent, payload: PayloadPass): TraceEvent {
  const key = keyOfPayloads(event);
  return mapEventFields(event, ({ name, value, isPayload }) =>
    isPayload ? payload(value, [name], key) : walker.field(value as string, [name]),
  );
}

function redactManifestTexts(walker: Walker, manifest: Manifest): Manifest {
  return mapManifestTexts(manifest, (text, path) => walker.field(text, path));
}
