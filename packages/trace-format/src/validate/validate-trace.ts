import type { Trace } from '../trace.js';
import { resultOf, type ValidationResult } from './issue.js';
import { checkPayloadHashes } from './payload-hashes.js';
import { StructureCheck } from './structure.js';

/** How strictly a trace is checked. */
export interface ValidateTraceOptions {
  /** Ask for a finished run: one run_start, an error event where it failed. Default true. */
  readonly strict?: boolean;
  /** Compare stored hashes with the payloads. Default false. */
  readonly verifyPayloads?: boolean;
}

/** Checks a trace in memory. Never throws: what is wrong is in the result. */
export function validateTrace(trace: Trace, options: ValidateTraceOptions = {}): ValidationResult {
  const check = new StructureCheck(trace, { strict: options.strict !== false, count: true });
  for (const event of trace.events) {
    check.add(event, options.verifyPayloads === true ? checkPayloadHashes(event, null) : []);
  }
  return resultOf(check.issues(), 'not_checked');
}
