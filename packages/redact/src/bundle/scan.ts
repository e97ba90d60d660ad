import { Buffer } from 'node:buffer';
import { compileRules } from '../compile.js';
import { NO_MEMORY, SessionMemory } from '../memory/memory.js';
import type { RedactOptions } from '../options.js';
import { REDACTED } from '../replacement.js';
import { MAX_LINE_BYTES, type Member, memberLines, membersOf, memberText, textOf } from './members.js';
import type { TextKind } from './own-pointers.js';
import { StreamScan } from './stream-scan.js';
import { type Hit, TextScan } from './text-scan.js';

/** A place in a bundle's files where a rule strikes. Never holds the secret. */
export interface ScanFinding {
  /** Path inside the bundle; for a bundle that is one file, that file's name. */
  readonly file: string;
  /** 1-based; null for a file that is one document, and for what stands in a file's name. */
  readonly line: number | null;
  /** JSON Pointer from the root of the line or document; null where it is not JSON. */
  readonly path: string | null;
  /** A rule's own name, such as `slack-token`, or `sensitive_key`, `recurring_secret`, `pointer`, `function`. */
  readonly rule: string;
  /** Id of the event that it stands in; for a chunk of a stream, of the call. */
  readonly eventId?: string;
}

/**
 * Applies the rules to what lies on the disk: every file of a bundle, line by line. A line that is JSON is looked at
 * as the value it is, so that key rules have their say; anything else, as text; the chunks of a stream, as the texts
 * that they are together; a blob as a whole. What strikes anywhere is looked for everywhere. Changes nothing.
 *
 * @param path of a bundle, whole or not
 * @param options the rules; those the bundle was recorded under find nothing in it
 * @throws StepforkError `missing_bundle`, `missing_file`, `read_failed`, `event_too_large`, `bad_redaction_rule`,
 * `redaction_function_failed`
 */
export function scanBundle(path: string, options: RedactOptions = {}): readonly ScanFinding[] {
  const rules = compileRules(options);
  const memory = rules.wide ? new SessionMemory() : NO_MEMORY;
  const members = membersOf(path);
  for (;;) {
    const scan = new TextScan(rules, memory);
    const findings = members.flatMap((member) => scanMember(member, scan));
    // A secret may stand before what gives it away.
    if (!scan.grew) return findings;
  }
}

function scanMember(member: Member, scan: TextScan): readonly ScanFinding[] {
  const named = scan.text(member.name);
  // The name must not give away what it holds.
  const file = named.length === 0 ? member.name : REDACTED;
  return [
    ...named.map((hit): ScanFinding => ({ file, line: null, ...hit })),
    ...(scanWhole(member, file, scan) ?? scanLines(member, file, scan)),
  ];
}

/** Null for what is looked at line by line. */
function scanWhole(member: Member, file: string, scan: TextScan): readonly ScanFinding[] | null {
  if (member.size > MAX_LINE_BYTES) return null;
  const hits = isBlob(member.name) ? scan.text(memberText(member)) : documentHits(member, scan);
  return hits?.map((hit) => ({ file, line: null, ...hit })) ?? null;
}

/** Null for what is not one JSON document. */
function documentHits(member: Member, scan: TextScan): readonly Hit[] | null {
  return member.name.endsWith('.json') ? (scan.json(memberText(member), kindOf(member.name))?.hits ?? null) : null;
}

function scanLines({ name, ...member }: Member, file: string, scan: TextScan): readonly ScanFinding[] {
  const isPacked = name.endsWith('.sftrace');
  const findings: ScanFinding[] = [];
  const streams = new StreamScan(scan);
  let kind = isPacked ? 'other' : kindOf(name);
  let isBlobText = false;
  let document: PackedDocument | null = null;
  for (const { text, number: line } of memberLines({ name, ...member })) {
    const begun = isPacked ? (SEPARATOR.exec(text)?.[1] ?? null) : null;
    if (begun !== null) {
      if (document !== null) findings.push(...scanDocument(document, file, scan));
      kind = kindOf(begun);
      isBlobText = isBlob(begun);
      document = begun.endsWith('.json') ? { kind, line: line + 1, lines: [], size: 0 } : null;
    } else if (document !== null && document.size + text.length <= MAX_LINE_BYTES) {
      document.lines.push(text);
      document.size += text.length;
      continue;
    }
    const json = isBlobText ? null : scan.json(text, kind);
    const hits = json?.hits ?? scan.text(isBlobText && begun === null ? blobText(text) : text);
    for (const hit of hits) findings.push({ file, line, ...hit });
    if (json?.chunk != null) streams.add(json.chunk, line);
  }
  if (document !== null) findings.push(...scanDocument(document, file, scan));
  return [...findings, ...streams.end().map((hit) => ({ file, ...hit }))].sort((a, b) => lineOf(a) - lineOf(b));
}

/** A document of several lines inside a packed bundle. */
interface PackedDocument {
  readonly kind: TextKind;
  /** Of its first. */
  readonly line: number;
  readonly lines: string[];
  size: number;
}

/** As one; line by line where it is none. */
function scanDocument({ kind, line, lines }: PackedDocument, file: string, scan: TextScan): readonly ScanFinding[] {
  const whole = scan.json(lines.join('\n'), kind)?.hits;
  if (whole !== undefined) return whole.map((hit) => ({ file, line, ...hit }));
  return lines.flatMap((text, index) => scan.text(text).map((hit) => ({ file, line: line + index, ...hit })));
}

const lineOf = ({ line }: ScanFinding): number => line ?? 0;

const KINDS: ReadonlyMap<string, TextKind> = new Map([
  ['events.jsonl', 'event'],
  ['manifest.json', 'manifest'],
  ['redactions.json', 'redactions'],
  ['integrity.json', 'integrity'],
  ['runtime.jsonl', 'runtime'],
]);

/** What stands before each member of a packed bundle. */
const SEPARATOR = /^--- ([a-z]+\.jsonl?|blobs\/[0-9a-f]{64})$/;

function kindOf(name: string): TextKind {
  return KINDS.get(name) ?? 'other';
}

function isBlob(name: string): boolean {
  return name.startsWith('blobs/');
}

/** In a packed bundle a blob is one line of Base64. */
function blobText(base64: string): string {
  return textOf(Buffer.from(base64, 'base64'));
}
