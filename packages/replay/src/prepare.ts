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
import { checkNames } from './mode/rule.js';
import { parseOptions, type ReplayOptions, type ReplaySettings } from './options.js';
import { createPlan, type ReplayPlan } from './plan/plan.js';
import { createReport } from './report/create-report.js';
import { divergenceHints } from './report/divergence-hints.js';
import { inputHints } from './report/input-hints.js';
import { doubtsAbout } from './report/soundness.js';
import type { ReplayReport } from './report.js';
import { withoutRoot } from './session/recorded-value.js';
import { ReplayRun } from './session/replay-run.js';
import type { RunOutcome } from './session/run-outcome.js';
import { guardRejections } from './session/unhandled.js';

/** The agent: called once a run, with the recorded run input or what the options give. */
export type Entrypoint = (...args: never[]) => unknown;

/** One run of an agent against a recording. */
export interface Replayed {
  readonly report: ReplayReport;
  readonly outcome: RunOutcome;
}

/** A recording that is ready to be replayed, any number of times. */
export interface Prepared {
  readonly settings: ReplaySettings;
  /** The recorded run input, or what the options give: the same values each time, never the same objects. */
  readonly args: () => readonly unknown[];
  readonly run: (entrypoint: Entrypoint, args: readonly unknown[]) => Promise<Replayed>;
}

/**
 * Reads a recording and all that a replay wants to know of it.
 *
 * @throws StepforkError `bad_option`, `bad_source`, `disabled`, `not_canonical`, and whatever `loadTrace` throws
 */
export function prepare(source: string | Trace, options: ReplayOptions): Prepared {
  const settings = parseOptions(options);
  if (isDisabled()) {
    throw new StepforkError(
      'disabled',
      'STEPFORK_DISABLED=1 turns every boundary off, so nothing can be replayed; unset it',
    );
  }
  const trace = traceOf(source);
  const plan = createPlan(trace, settings.comparing);
  checkNames(settings.mode, plan.calls);
  const doubts = doubtsAbout(source, trace);
  const hasInput = 'input' in options;
  return {
    settings,
    args: () => (hasInput ? fromRunInput(options.input) : recordedArguments(plan)),
    run: async (entrypoint, args) => {
      const release = guardRejections();
      try {
        const result = await new ReplayRun(plan, settings).run(entrypoint, args);
        const aboutStart = hasInput ? [] : inputHints(plan, result.divergence, entrypoint.length);
        // A run that was not started as the recorded one has other inputs for that reason.
        const hints = aboutStart.length > 0 ? aboutStart : divergenceHints(plan, result);
        return { report: createReport(plan, result, [...doubts, ...hints]), outcome: result.outcome };
      } finally {
        release();
      }
    },
  };
}

function traceOf(source: string | Trace): Trace {
  if (typeof source === 'string') return loadTrace(source);
  if (typeof source === 'object' && source !== null && isJsonArray(source.events as unknown as Json)) return source;
  throw new StepforkError('bad_source', 'replay needs the path of a bundle, or a trace as loadTrace gives it');
}

/** @throws StepforkError `bad_input` */
function recordedArguments({ run: { input }, blobs }: ReplayPlan): readonly unknown[] {
  const path = findUnservable(input);
  if (path !== null) {
    const place = displayText(withoutRoot(path));
    const message = `the recorded run input holds a placeholder at ${place}; give option input`;
    throw new StepforkError('bad_input', message, { details: { path } });
  }
  return fromRunInput(fromTraceValue(input, { blobs }));
}
