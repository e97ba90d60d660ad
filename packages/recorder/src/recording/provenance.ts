import process from 'node:process';
import type { Redactor } from '@stepfork/redact';
import { type Environment, type JsonObject, type RuntimeHeader, toWellFormed } from '@stepfork/trace-format/write';
import { timeOrigin, timeZone } from '../clock.js';
import { VERSION } from '../version.js';

/** Who wrote this, for the manifest. */
export function environment(): Environment {
  return { python: null, os: process.platform, stepfork_version: VERSION };
}

/** Who wrote this, where and under which redaction, for the runtime file. */
export function runtimeHeader(
  startedAtMs: number,
  { tags, keepsClock }: { readonly tags: { readonly [name: string]: string }; readonly keepsClock: boolean },
  redactor: Redactor,
): RuntimeHeader {
  return {
    type: 'runtime',
    schema: 'stepfork-runtime/1',
    language: 'node',
    language_version: process.versions.node,
    recorder_version: VERSION,
    started_at_ms: startedAtMs,
    time_zone: timeZone(),
    ...(keepsClock ? { time_origin: timeOrigin() } : {}),
    tags: redactTags(tags, redactor),
    redaction: { ruleset: redactor.ruleset, fingerprint: redactor.fingerprint },
  };
}

/** Of a tag; a header of more than a line may have could not be read. */
const LONGEST_TAG = 64 * 1024;

function redactTags(tags: { readonly [name: string]: string }, redactor: Redactor): { [name: string]: string } {
  const texts: JsonObject = Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [tagText(name), tagText(String(value))]),
  );
  return redactor.redact(texts).value as { [name: string]: string };
}

/** Cut from a longer text, a tag may end in half a character. */
function tagText(text: string): string {
  return toWellFormed(text.length > LONGEST_TAG ? `${text.slice(0, LONGEST_TAG)}…` : text);
}
