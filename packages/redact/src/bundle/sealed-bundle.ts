import { inlineBytes, loadTrace, validateBundle } from '@stepfork/trace-format';
import {
  type Finding,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Manifest,
  NO_TOTALS,
  parseJson,
  StepforkError,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import { blobFiles, isBlobFile } from './blob-files.js';
import { type Member, memberLines, membersOf, memberText } from './members.js';
import { runtimeHeaderFor } from './runtime-header.js';

/** The files that the format knows; everything else in a bundle is somebody else's. */
const KNOWN = new Set(['manifest.json', 'events.jsonl', 'redactions.json', 'runtime.jsonl', 'integrity.json']);

/** A bundle that is what was sealed, in parts that can be written again. */
export interface SealedBundle {
  readonly manifest: Manifest;
  /** First record of runtime.jsonl; made up for a bundle without that file. */
  readonly header: JsonObject;
  /** Files that the format does not know. */
  readonly foreign: readonly Member[];
  /** What redactions.json lists for an event. */
  readonly findingsOf: (eventId: string) => readonly Finding[];
  /** With all binary data in them. */
  readonly events: () => Iterable<TraceEvent>;
  /** The records of runtime.jsonl after the first, those of types that this release does not know included. */
  readonly records: () => Iterable<JsonObject>;
}

/**
 * Opens a bundle that is to be sealed anew. One that is not what was sealed is refused: a new seal would make good
 * what was broken or tampered with.
 *
 * @throws StepforkError `unsound_bundle`, `invalid_runtime`, and the codes of reading
 */
export function openSealed(path: string): SealedBundle {
  const members = membersOf(path);
  requireSound(path);
  const findings = findingsIn(documentOf(members, 'redactions.json'));
  const manifest = manifestIn(documentOf(members, 'manifest.json'));
  const runtime = members.find(({ name }) => name === 'runtime.jsonl');
  const blobs = blobFiles(members);
  const inlined = <T>(value: T): T => inlineBytes(value as Json, blobs) as T;
  const [header] = runtime === undefined ? [] : runtimeRecords(runtime);
  return {
    manifest,
    header: header ?? runtimeHeaderFor(manifest),
    foreign: members.filter((member) => !KNOWN.has(member.name) && !isBlobFile(member)),
    findingsOf: (id) => findings.get(id) ?? [],
    events: () => mapped(loadTrace(path).events, inlined),
    records: () =>
      runtime === undefined ? [] : mapped(withoutEventOrders(afterFirst(runtimeRecords(runtime))), inlined),
  };
}

function requireSound(path: string): void {
  const { issues } = validateBundle(path, { strict: false, verifyIntegrity: true });
  // Older releases of the Python original sealed nothing.
  const issue = issues.find(({ code }) => code !== 'integrity_unverified');
  if (issue === undefined) return;
  throw new StepforkError(
    'unsound_bundle',
    `${path}: not scrubbed, since it is not what was sealed: ${issue.message}`,
    {
      details: { file: path, issue: issue.code },
    },
  );
}

function documentOf(members: readonly Member[], name: string): JsonObject {
  const member = members.find((candidate) => candidate.name === name);
  const json = member === undefined ? null : parseJson(memberText(member));
  if (isJsonObject(json)) return json;
  throw new StepforkError('missing_file', `${name} is missing from the bundle`, {
    details: { file: name },
  });
}

/** A manifest that was found valid, with what the format lets be left out. */
function manifestIn(json: JsonObject): Manifest {
  const stated = json as unknown as Partial<Manifest>;
  return {
    format: 'stepfork',
    failure: null,
    ...stated,
    environment: { python: null, os: null, stepfork_version: null, ...stated.environment },
    totals: { ...NO_TOTALS, ...stated.totals },
  } as Manifest;
}

function findingsIn({ entries = [] }: JsonObject): ReadonlyMap<string, readonly Finding[]> {
  const byEvent = new Map<string, Finding[]>();
  for (const entry of isJsonArray(entries) ? entries : []) {
    const { event_id, path, reason } = entry as unknown as Finding & { readonly event_id: string };
    const findings = byEvent.get(event_id) ?? [];
    findings.push({ path, reason });
    byEvent.set(event_id, findings);
  }
  return byEvent;
}

function* runtimeRecords(member: Member): Generator<JsonObject, void, undefined> {
  for (const { text, number } of memberLines(member)) {
    const record = objectIn(text);
    if (record === null || (number === 1 && record.schema !== 'stepfork-runtime/1')) throw notOurs(member, number);
    yield record;
  }
}

function* mapped<T>(all: Iterable<T>, change: (one: T) => T): Generator<T, void, undefined> {
  for (const one of all) yield change(one);
}

/** The order of keys in an event is written anew with it, since other parts of it may be repeated than before. */
function* withoutEventOrders(records: Iterable<JsonObject>): Generator<JsonObject, void, undefined> {
  for (const record of records) {
    const { type, path } = record;
    if (type !== 'key_order' || typeof path !== 'string' || path.startsWith('/chunks/')) yield record;
  }
}

function* afterFirst<T>(all: Iterable<T>): Generator<T, void, undefined> {
  let isFirst = true;
  for (const one of all) {
    if (!isFirst) yield one;
    isFirst = false;
  }
}

function objectIn(text: string): JsonObject | null {
  try {
    const json = parseJson(text);
    return isJsonObject(json) ? json : null;
  } catch {
    return null;
  }
}

function notOurs({ path }: Member, line: number): StepforkError {
  return new StepforkError('invalid_runtime', `${path}:${line}: no record of a run; move that file out of the bundle`, {
    details: { file: path, line },
  });
}
