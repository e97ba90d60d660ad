export type { BlobReader } from './blobs.js';
export { BLOB_LIMIT, externalizeBytes, inlineBytes } from './blobs.js';
export type { RedactionEntry } from './bundle/documents.js';
export { isThere } from './bundle/is-there.js';
export { isBundlePath, isPartialPath } from './bundle/layout.js';
export { type BytesAt, type PackEntry, type PlacedEntry, packedPlaces } from './bundle/pack/pack-header.js';
export type { BundleWriter, OpenBundleOptions } from './bundle/writer.js';
export { openBundle } from './bundle/writer.js';
export type { CallOutcome, RecordedCall, ReturnedOutcome, ThrewOutcome } from './calls/pair-calls.js';
export { pairCalls } from './calls/pair-calls.js';
export { newEventId, newRunId } from './clock.js';
export { displayText } from './display.js';
export { InternalError, isStepforkError, StepforkError } from './errors.js';
export type {
  ErrorEvent,
  EventBase,
  EventStatus,
  EventType,
  LlmRequestEvent,
  LlmResponseEvent,
  ReplayPolicy,
  RunEndEvent,
  RunStartEvent,
  RunStatus,
  StateChangeEvent,
  ToolCallEvent,
  ToolResultEvent,
  TraceEvent,
} from './event.js';
export { EVENT_STATUSES, EVENT_TYPES, REPLAY_POLICIES, RUN_STATUSES } from './event.js';
export type { EventBaseInit, EventInit } from './event-constructors.js';
export {
  errorEvent,
  llmRequestEvent,
  llmResponseEvent,
  runEndEvent,
  runStartEvent,
  stateChangeEvent,
  toolCallEvent,
  toolResultEvent,
} from './event-constructors.js';
export { sha256 } from './hash.js';
export { canonicalJson } from './json/canonical.js';
export { canonicalJsonText } from './json/canonical-text.js';
export { carryFloats } from './json/float-marks.js';
export { hashJson } from './json/hash-json.js';
export { compareCodePoints, sortKeys } from './json/key-order.js';
export { isJsonArray, isJsonObject, setKey } from './json/object.js';
export type { ParseJsonOptions } from './json/parse-json.js';
export { parseJson } from './json/parse-json.js';
export { isPlainObject } from './json/plain.js';
export { toWellFormed } from './json/well-formed.js';
export type { Json, JsonObject } from './json.js';
export type { Environment, Failure, Manifest, Totals } from './manifest.js';
export { NO_TOTALS } from './manifest.js';
export type { PathSegment } from './path.js';
export { escapePointer, formatPath, formatRootedPath, parsePointer, toPointer } from './path.js';
export type { PayloadField } from './payloads.js';
export { PAYLOAD_FIELDS, payloadText } from './payloads.js';
export { createRoom, newInLine, type Room } from './repeats/new-in-line.js';
export type {
  ActFields,
  AdoptedRecord,
  AmbiguousRecord,
  CallRecord,
  ChunkRecord,
  ClockRead,
  ClockRecord,
  DetachedRecord,
  KeyOrderRecord,
  LogPointFields,
  ManualRecord,
  MutatedRecord,
  OutputRecord,
  PlaceholderRecord,
  RuntimeHeader,
  RuntimeRecord,
  ScrubbedRecord,
  StreamEndRecord,
  StreamKind,
  StreamRecord,
  TruncatedRecord,
} from './runtime.js';
export type { Finding, RedactedEvent, RedactedManifest } from './sealed.js';
export { sealEvent, sealManifest } from './sealed.js';
export { formatTimestamp } from './timestamp.js';
export type { Trace } from './trace.js';
export type { CreateTraceOptions } from './trace-builder.js';
export { addEvent, createTrace } from './trace-builder.js';
export type { DecodeOptions } from './value/decode.js';
export { fromTraceValue } from './value/decode.js';
export type { EncodedValue, EncodeOptions, Placeholder } from './value/encode.js';
export { encodeValue, toTraceValue } from './value/encode.js';
export { findUnservable } from './value/find-unservable.js';
export type { StreamValue } from './value/stream.js';
export { streamOf } from './value/stream.js';
export { STREAM_TAG, TAG_KEY, tagOf } from './value/tags.js';
