import { fromRunInput, isDisabled } from '@stepfork/recorder/boundary';
import {
  displayText,
  findUnservable,
  fromTraceValue,
  isJsonArray,
  type Json,
  loadTrace,
  StepforkError,
  type Trace,
} from '@stepfork/trace-format';
import { parseOptions, type ReplayOptions } from './options.js';
import { createPlan } from './plan/plan.js';
import { createReport } from './report/create-report.js';
import { doubtsAbout } from './report/soundness.js';
import type { ReplayReport } from './report.js';
import { ReplaySession } from './session/session.js';
import { guardRejections } from './session/unhandled.js';

/** The agent: called once, with the recorded run input or what the options give. */
export type Entrypoint = (...args: never[]) => unknown;

/**
 * Runs an entrypoint against a recording: every call of an instrumented function is answered from the recording,
 * none of their bodies runs. Resolves to a report whatever the run came to; a divergence is reported, not thrown.
 *
 * @param source path of a bundle, or a trace
 * @throws StepforkError `bad_option`, `bad_source`, `bad_entrypoint`, `bad_input`, `disabled`, whatever `loadTrace`
 * throws, and `not_canonical` for a recording whose inputs cannot be compared
 */
export async function replay(
  source: string | Trace,
  entrypoint: Entrypoint,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const settings = parseOptions(options);
  if (isDisabled()) {
    throw new StepforkError(
      'disabled',
      'STEPFORK_DISABLED=1 turns every boundary off, so nothing can be replayed; unset it',
    );
  }
  if (typeof entrypoint !== 'function') {
    throw new StepforkError('bad_entrypoint', `replay needs a function as its entrypoint, not ${typeof entrypoint}`);
  }
  const plan = createPlan(traceOf(source), { redact: settings.redact });
  const args = 'input' in options ? fromRunInput(options.input) : recordedArguments(plan.run.input);
  const release = guardRejections();
  try {
    const result = await new ReplaySession(plan, settings).run(entrypoint, args);
    return createReport(plan, result, doubtsAbout(source));
  } finally {
    release();
  }
}

function traceOf(source: string | Trace): Trace {
  if (typeof source === 'string') return loadTrace(source);
  if (typeof source === 'object' && source !== null && isJsonArray(source.events as unknown as Json)) return source;
  throw new StepforkError('bad_source', 'replay needs the path of a bundle, or a trace as loadTrace gives it');
}

function recordedArguments(input: Json): readonly unknown[] {
  const path = findUnservable(input);
  if (path !== null) {
    const message = `the recorded run input holds a placeholder at ${displayText(path)}; give option input`;
    throw new StepforkError('bad_input', message, { details: { path } });
  }
  return fromRunInput(fromTraceValue(input));
}
