import type { RedactOptions } from '@stepfork/redact';
import { slot } from '../boundary/slot.js';
import { Recording } from './recording.js';

/** Where and how a replayed run is recorded in its turn. */
export interface CandidateOptions {
  readonly output: string;
  readonly overwrite?: boolean | undefined;
  readonly redact?: RedactOptions | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/**
 * Opens a recording that a replay feeds: no boundary finds it by itself.
 *
 * @throws StepforkError `output_exists`, `output_busy`, `not_a_bundle`, or what keeps the bundle from being made
 */
export function openCandidate(agentName: string, options: CandidateOptions, input: unknown): Recording {
  const recording = new Recording({ name: agentName, options }, input);
  slot().active.delete(recording);
  return recording;
}
