import { compileRules } from '../compile.js';
import { NO_MEMORY, SessionMemory } from '../memory/memory.js';
import type { RedactOptions } from '../options.js';
import { REDACTED } from '../replacement.js';
import { MAX_LINE_BYTES, type Member, memberLines, membersOf, memberText } from './members.js';
import type { TextKind } from './own-pointers.js';
import { TextScan } from './text-scan.js';

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
}

/**
 * Applies the rules to what lies on the disk: every file of a bundle, line by line. A line that is JSON is looked at
 * as the value it is, so that key rules have their say; anything else, as text. What strikes anywhere is looked for
 * everywhere. Changes nothing.
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
    ...(scanDocument(member, file, scan) ?? scanLines(member, file, scan)),
  ];
}

/** Null for what is not one JSON document. */
function scanDocument(member: Member, file: string, scan: TextScan): readonly ScanFinding[] | null {
  if (!member.name.endsWith('.json') || member.size > MAX_LINE_BYTES) return null;
  return scan.json(memberText(member), kindOf(member))?.map((hit) => ({ file, line: null, ...hit })) ?? null;
}

function scanLines(member: Member, file: string, scan: TextScan): readonly ScanFinding[] {
  const kind = kindOf(member);
  const findings: ScanFinding[] = [];
  for (const { text, number: line } of memberLines(member)) {
    for (const hit of scan.json(text, kind) ?? scan.text(text)) findings.push({ file, line, ...hit });
  }
  return findings;
}

const KINDS: ReadonlyMap<string, TextKind> = new Map([
  ['events.jsonl', 'event'],
  ['redactions.json', 'redactions'],
  ['runtime.jsonl', 'runtime'],
]);

/** The lines of a packed bundle are, nearly all, its events. */
function kindOf({ name }: Member): TextKind {
  return name.endsWith('.sftrace') ? 'event' : (KINDS.get(name) ?? 'other');
}
