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
import { createPlan, type ReplayPlan } from './plan/plan.js';
import { createReport } from './report/create-report.js';
import { inputHints } from './report/input-hints.js';
import { doubtsAbout } from './report/soundness.js';
import type { ReplayReport } from './report.js';
import { withoutRoot } from './session/recorded-value.js';
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
  const trace = traceOf(source);
  const plan = createPlan(trace, { redact: settings.redact });
  const args = 'input' in options ? fromRunInput(options.input) : recordedArguments(plan);
  const release = guardRejections();
  try {
    const result = await new ReplaySession(plan, settings).run(entrypoint, args);
    const hints = 'input' in options ? [] : inputHints(plan, result.divergence, entrypoint.length);
    return createReport(plan, result, [...doubtsAbout(source, trace), ...hints]);
  } finally {
    release();
  }
}

function traceOf(source: string | Trace): Trace {
  if (typeof source === 'string') return loadTrace(source);
  if (typeof source === 'object' && source !== null && isJsonArray(source.events as unknown as Json)) return source;
  throw new StepforkError('bad_source', 'replay needs the path of a bundle, or a trace as loadTrace gives it');
}

function recordedArguments({ run: { input }, blobs }: ReplayPlan): readonly unknown[] {
  const path = findUnservable(input);
  if (path !== null) {
    const place = displayText(withoutRoot(path));
    const message = `the recorded run input holds a placeholder at ${place}; give option input`;
    throw new StepforkError('bad_input', message, { details: { path } });
  }
  return fromRunInput(fromTraceValue(input, { blobs }));
}
