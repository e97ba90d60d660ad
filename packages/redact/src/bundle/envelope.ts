import {
  EVENT_STATUSES,
  EVENT_TYPES,
  type Json,
  type JsonObject,
  REPLAY_POLICIES,
  RUN_STATUSES,
  setKey,
} from '@stepfork/trace-format/write';
import type { CompiledRules } from '../compile.js';
import type { TextKind } from './own-pointers.js';

/**
 * The fields of a bundle's files that are the format's own. A rule about keys is about what an agent calls its data: that
 * a person's `status` is secret does not make that of an event so. What stands in them is looked at as text.
 */
const OWN_FIELDS: Readonly<Record<TextKind, string>> = {
  event:
    'id run_id parent_id step type timestamp duration_ms status replay_policy input_hash output_hash redactions ' +
    'provider model name key error_type message run_status prompt_tokens completion_tokens total_tokens cost_usd',
  manifest: 'format schema_version run_id agent_name created_at status failure environment totals',
  redactions: 'schema_version entries',
  integrity: 'schema_version algorithm files',
  runtime:
    'type schema language language_version recorder_version started_at_ms time_zone time_origin redaction call_id ' +
    'call_ids event_id answered turns kind call_turn step order at_ms turn object_mode index path paths reason detail ' +
    'keys chunks end stopped left_out code places',
  other: '',
};

const names: Partial<Record<TextKind, ReadonlySet<string>>> = {};

/** Words of the format. That one of them is secret elsewhere says nothing here. */
const WORDS: ReadonlySet<Json> = new Set<string>([
  ...EVENT_TYPES,
  ...EVENT_STATUSES,
  ...REPLAY_POLICIES,
  ...RUN_STATUSES,
]);
const WORD_FIELDS: readonly string[] = ['type', 'status', 'replay_policy', 'run_status'];

/** What a line says by itself, and what of an agent's it holds. */
export interface Parted {
  readonly envelope: JsonObject;
  readonly content: JsonObject;
}

export function partEnvelope(line: JsonObject, kind: TextKind): Parted {
  const own = ownFields(kind, line);
  const envelope: { [key: string]: Json } = {};
  const content: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(line)) {
    if (!own.has(key)) setKey(content, key, value);
    else if (!WORD_FIELDS.includes(key) || !WORDS.has(value)) setKey(envelope, key, value);
  }
  return { envelope, content };
}

/** None for a line that is no event, wherever it stands. */
function ownFields(kind: TextKind, { type }: JsonObject): ReadonlySet<string> {
  if (kind === 'event' && !EVENT_TYPES.some((known) => known === type)) return NONE;
  const known = names[kind] ?? new Set(OWN_FIELDS[kind].split(' '));
  names[kind] = known;
  return known;
}

const NONE: ReadonlySet<string> = new Set();

/** Rules that look at texts, and at no key. */
export function withoutKeys(rules: CompiledRules): CompiledRules {
  return { ...rules, aboutKey: (key) => ({ ...rules.aboutKey(key), verdict: null }) };
}
