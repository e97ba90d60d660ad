import { checkFunction, checkName } from './boundary/check.js';
import { toRecordInput } from './boundary/run-input.js';
import { checkOptions } from './check-options.js';
import type { RecordingOptions } from './options.js';
import { runAgent } from './run.js';
import type { Session } from './session.js';

/** How `record` records, and what it gives to the agent. */
export interface RecordOptions<Input = unknown> extends RecordingOptions {
  /** Recorded as the run's input, and given to the function. */
  readonly input?: Input | undefined;
}

/**
 * Records one run of an agent: `fn(session, input)`. Resolves to what it returned and rejects with what it threw,
 * whatever becomes of the recording. Inside another run, recorded or replayed, it is a part of that one.
 *
 * @throws StepforkError before anything runs: `invalid_argument`, `output_exists`, `output_busy`, `not_a_bundle`,
 * `bad_redaction_rule`; `replay_ended` or `boundary_version` in what is left of a replay.
 */
export function record<T>(agentName: string, fn: (session: Session, input: undefined) => T): Promise<Awaited<T>>;
export function record<T, Input = undefined>(
  agentName: string,
  options: RecordOptions<Input>,
  fn: (session: Session, input: Input) => T,
): Promise<Awaited<T>>;
export async function record(
  name: string,
  ...rest: readonly [RecordedFunction] | readonly [RecordOptions<unknown>, RecordedFunction]
): Promise<unknown> {
  const [options, fn] = rest.length === 1 ? [{}, rest[0]] : rest;
  checkName(name, 'record');
  checkFunction(fn, `record('${name}')`);
  checkOptions(options, `record('${name}')`);
  // The run is known as long as any timer of it lives; its input is not.
  const { input, ...recording } = options;
  const body = (session: Session): unknown => fn(session, input as never);
  return runAgent({ name, options: recording }, toRecordInput(input), 'throw', body, 'shared');
}

type RecordedFunction = (session: Session, input: never) => unknown;
