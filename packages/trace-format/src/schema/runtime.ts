import * as z from 'zod';
import type { Json } from '../json.js';
import { type RuntimeRecord, STREAM_KINDS } from '../runtime.js';
import type { Parsed } from './bundle-schema.js';
import { parseWith } from './parsed.js';

const tags = z.record(z.string(), z.string());

// Records may grow fields: those that this release does not know are kept.
const header = z.looseObject({
  type: z.literal('runtime'),
  schema: z.literal('stepfork-runtime/1'),
  language: z.string(),
  language_version: z.string(),
  recorder_version: z.string(),
  started_at_ms: z.number(),
  time_zone: z.string(),
  time_origin: z.number().optional(),
  tags,
  redaction: z.looseObject({ ruleset: z.string(), fingerprint: z.string() }),
});

const call = z.looseObject({
  type: z.literal('call'),
  call_id: z.string(),
  answered: z.enum(['sync', 'promise']),
  turns: z.tuple([z.number(), z.number()]).optional(),
});

const logPoint = { step: z.number(), order: z.number(), at_ms: z.number(), turn: z.number() };

const stream = z.looseObject({
  type: z.literal('stream'),
  call_id: z.string(),
  kind: z.enum(STREAM_KINDS),
  answered: z.enum(['sync', 'promise']),
  call_turn: z.number(),
  object_mode: z.boolean().optional(),
  members: z.unknown().optional(),
  acts: z.boolean().optional(),
  ...logPoint,
});

const acts = { sent: z.unknown().optional(), thrown: z.unknown().optional(), closed: z.unknown().optional() };

const chunk = z.looseObject({
  type: z.literal('chunk'),
  call_id: z.string(),
  index: z.number().int().nonnegative(),
  data: z.unknown(),
  ...acts,
  ...logPoint,
});

const streamEnd = z.looseObject({ type: z.literal('stream_end'), call_id: z.string(), ...acts });

const output = z.looseObject({
  type: z.literal('output'),
  kind: z.enum(STREAM_KINDS),
  chunks: z.number().int().nonnegative(),
  end: z.enum(['complete', 'cancelled', 'error', 'open']),
  sent: z.array(z.looseObject({ index: z.number().int().nonnegative(), value: z.unknown() })).optional(),
  acts: z
    .array(
      z.looseObject({
        index: z.number().int().nonnegative(),
        by: z.enum(['throw', 'return']),
        value: z.unknown(),
      }),
    )
    .optional(),
  stopped: z.looseObject({ reading: z.boolean(), ...logPoint }).optional(),
});

const clock = z.looseObject({
  type: z.literal('clock'),
  reads: z.array(z.tuple([z.enum(['date', 'performance']), z.number()])),
  ...logPoint,
});

const placeholder = z.looseObject({
  type: z.literal('placeholder'),
  event_id: z.string(),
  path: z.string(),
  reason: z.string(),
  detail: z.unknown().optional(),
});

const adopted = z.looseObject({ type: z.literal('adopted'), call_id: z.string() });
const detached = z.looseObject({ type: z.literal('detached'), call_id: z.string() });
const manual = z.looseObject({ type: z.literal('manual'), call_id: z.string() });
const mutated = z.looseObject({ type: z.literal('mutated'), call_id: z.string(), paths: z.array(z.string()) });
const aborted = z.looseObject({ type: z.literal('aborted'), call_id: z.string() });
const ambiguous = z.looseObject({ type: z.literal('ambiguous'), call_ids: z.array(z.string()) });
const truncated = z.looseObject({
  type: z.literal('truncated'),
  reason: z.enum(['events', 'bundle_bytes', 'failure']),
  step: z.number(),
  left_out: z.number().optional(),
  code: z.string().optional(),
});
const scrubbed = z.looseObject({ type: z.literal('scrubbed'), at_ms: z.number(), places: z.number() });

const keyOrder = z.looseObject({
  type: z.literal('key_order'),
  keys: z.array(z.string()),
  event_id: z.string().optional(),
  path: z.string().optional(),
});

/** One line of runtime.jsonl, of a type that this release knows. */
export const runtimeRecordSchema = z.discriminatedUnion('type', [
  header,
  call,
  stream,
  chunk,
  streamEnd,
  output,
  clock,
  placeholder,
  adopted,
  detached,
  manual,
  mutated,
  aborted,
  ambiguous,
  truncated,
  scrubbed,
  keyOrder,
]);

const TYPES = new Set<unknown>(runtimeRecordSchema.options.map(({ shape }) => shape.type.value));

/** Whether JSON is the header of a runtime.jsonl of ours. */
export function isRuntimeHeader(json: Json): boolean {
  return parseWith(header, json).ok;
}

/** A record of runtime.jsonl; null for a type that this release does not know. */
export function parseRuntimeRecord(json: Json): Parsed<RuntimeRecord | null> {
  const type = typeof json === 'object' && json !== null ? (json as { type?: unknown }).type : undefined;
  if (!TYPES.has(type)) return { ok: true, value: null };
  const parsed = parseWith(runtimeRecordSchema, json);
  return parsed.ok ? { ok: true, value: parsed.value as RuntimeRecord } : parsed;
}
