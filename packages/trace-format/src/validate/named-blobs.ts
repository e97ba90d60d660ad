import { Buffer } from 'node:buffer';
import { eachBlob } from '../blobs.js';
import type { ReadShape } from '../bundle/events-reader.js';
import { blobMember } from '../bundle/layout.js';
import type { Members } from '../bundle/members.js';
import { displayText } from '../display.js';
import type { Json } from '../json.js';
import { PAYLOAD_FIELDS } from '../payloads.js';
import type { RuntimeRecord } from '../runtime.js';
import { TAG_KEY } from '../value/tags.js';
import { IdSet } from './id-set.js';
import { issue, MAX_ISSUES, type ValidationIssue } from './issue.js';

/** Begins with its rarest character. */
const TAG = Buffer.from(`${TAG_KEY}"`);

/** Looks for the blobs that a bundle's events and records name; each that is missing is told once. */
export class NamedBlobs {
  readonly #there: ReadonlySet<string>;
  readonly #told = new IdSet();
  #count = 0;

  constructor(members: Members) {
    this.#there = new Set(members.blobs());
  }

  missingIn(read: ReadShape): readonly ValidationIssue[] {
    // A line that was taken apart spells its keys as they are.
    if (read.payload !== null && !read.line.includes(TAG)) return [];
    const event = read.exact();
    const fields = event as unknown as { readonly [name: string]: Json | undefined };
    return PAYLOAD_FIELDS[event.type].flatMap(({ name }) => {
      const who = `event '${displayText(event.id)}'`;
      return this.#missing(fields[name] ?? null, who).map((found) => ({
        ...found,
        event_id: event.id,
        step: event.step,
      }));
    });
  }

  missingInRecord(record: RuntimeRecord): readonly ValidationIssue[] {
    return this.#missing(record as unknown as Json, `a '${record.type}' record of runtime.jsonl`);
  }

  #missing(json: Json, who: string): readonly ValidationIssue[] {
    const issues: ValidationIssue[] = [];
    eachBlob(json, ({ sha256 }) => {
      if (this.#there.has(sha256) || this.#count >= MAX_ISSUES || !this.#told.add(sha256)) return;
      this.#count++;
      issues.push(issue('missing_blob', `${who} names the blob ${sha256}, which is missing`, blobMember(sha256)));
    });
    return issues;
  }
}
