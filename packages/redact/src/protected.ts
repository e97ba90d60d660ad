import { type Manifest, StepforkError, type TraceEvent } from '@stepfork/trace-format/write';
import type { CompiledRules } from './compile.js';
import { NO_MEMORY } from './memory/memory.js';
import { redactText } from './text/text-redactor.js';

/**
 * What gives a bundle its structure is never changed: ids, links, times, statuses, hashes, counts. These are the ones
 * among it that a program can put text of its own into.
 */
const EVENT_TEXTS = ['id', 'run_id', 'parent_id', 'timestamp', 'input_hash', 'output_hash'] as const;
const MANIFEST_TEXTS = ['run_id', 'created_at'] as const;

/** @throws StepforkError `credential_in_protected_field`, for a text that cannot be redacted and must be. */
export function checkEventStructure(event: TraceEvent, rules: CompiledRules): void {
  for (const field of EVENT_TEXTS) check(event[field], `event ${event.step} (${event.type})`, field, rules);
  for (const pointer of event.redactions) check(pointer, `event ${event.step} (${event.type})`, 'redactions', rules);
}

/** @throws StepforkError `credential_in_protected_field`, as for events. */
export function checkManifestStructure(manifest: Manifest, rules: CompiledRules): void {
  for (const field of MANIFEST_TEXTS) check(manifest[field], 'the manifest', field, rules);
}

function check(text: string | null, where: string, field: string, rules: CompiledRules): void {
  if (text === null || redactText(text, rules.structureText, NO_MEMORY, IGNORE) === null) return;
  throw new StepforkError(
    'credential_in_protected_field',
    `${where} holds a credential in '${field}', which is never redacted: give it another ${field}`,
    { details: { field } },
  );
}

const IGNORE = (): void => {};
