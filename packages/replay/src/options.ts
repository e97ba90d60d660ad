import { types } from 'node:util';
import type { RedactOptions } from '@stepfork/redact';
import { displayText, StepforkError } from '@stepfork/trace-format';
import type { Now } from './clock/run-clock.js';
import type { OrderPolicy } from './match/find-match.js';
import type { Mode } from './mode/mode.js';
import { type ModeOptions, parseMode } from './mode/parse-mode.js';
import type { PlanOptions } from './plan/plan.js';
import type { CandidateTarget } from './session/candidate.js';
import type { VolatilityOptions } from './volatile/volatility.js';

/** How a recording is replayed. */
export interface ReplayOptions extends ModeOptions, VolatilityOptions, CandidateOptions {
  /** Given to the entrypoint in place of the recorded run input: `{ args: [...] }` is spread, null is no argument. */
  readonly input?: unknown;
  /**
   * `recorded`: each outcome comes when everything that the recording has before it has happened. `strict`: besides,
   * all calls come one after the other in recorded order. `any`: outcomes come as soon as they are asked for; for
   * exploring.
   */
  readonly order?: OrderPolicy | undefined;
  /**
   * What becomes of identical calls that overlapped and ended differently. `report`: they are told apart by their
   * order, and listed. `diverge`: they end the replay. Default: listed; where they may differ in redacted places,
   * refused.
   */
  readonly onAmbiguous?: 'report' | 'diverge' | undefined;
  /** Milliseconds without any progress after which the run counts as stalled, beyond the recording's own silence. */
  readonly noProgressMs?: number | undefined;
  /**
   * What the agent's code sees as the time: that of the recording, the real one, or one that begins at a given date
   * and passes as the recording did. Timers are real. Default: `recorded`; `real` in mode `live`.
   */
  readonly now?: Now | undefined;
  /** How often the agent is run, each time from the start of the recording. All runs must agree. Default: 1. */
  readonly repeat?: number | undefined;
  /** The redaction rules that the run was recorded under, where they were not the default ones. */
  readonly redact?: RedactOptions | undefined;
}

/** Where the replayed run is recorded as a bundle of its own. */
export interface CandidateOptions {
  /** The bundle's path, or the path and whether a bundle that is there may be replaced. */
  readonly record?: string | { readonly path: string; readonly overwrite?: boolean | undefined } | undefined;
}

/** Options, checked and with their defaults. */
export interface ReplaySettings {
  readonly mode: Mode;
  readonly record: CandidateTarget | null;
  readonly now: Now;
  /** How often the agent is run. */
  readonly repeat: number;
  readonly order: OrderPolicy;
  /** null: the default, which depends on the kind of ambiguity. */
  readonly onAmbiguous: 'report' | 'diverge' | null;
  readonly noProgressMs: number;
  /** How calls are compared. */
  readonly comparing: PlanOptions;
}

const NAMES = [
  ...['input', 'mode', 'liveLlms', 'allowLiveTools', 'approve', 'order', 'onAmbiguous', 'noProgressMs', 'redact'],
  ...['ignore', 'match', 'normalize', 'record', 'repeat', 'now'],
];
const DEFAULT_NO_PROGRESS_MS = 10_000;

/** @throws StepforkError `bad_option`, naming the option. */
export function parseOptions(options: ReplayOptions): ReplaySettings {
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw badOption(name, `replay has no option '${name}'; it has ${NAMES.join(', ')}`);
  }
  const { order = 'recorded', onAmbiguous = null, noProgressMs = DEFAULT_NO_PROGRESS_MS } = options;
  const mode = parseMode(options);
  oneOf('order', order, ['recorded', 'strict', 'any']);
  if (onAmbiguous !== null) oneOf('onAmbiguous', onAmbiguous, ['report', 'diverge']);
  if (typeof noProgressMs !== 'number' || !(noProgressMs > 0)) {
    throw badOption('noProgressMs', 'option noProgressMs must be a number of milliseconds above 0');
  }
  const { redact, ignore, match, normalize } = options;
  const { repeat = 1 } = options;
  if (!Number.isInteger(repeat) || repeat < 1)
    throw badOption('repeat', 'option repeat must be a whole number above 0');
  const record = candidateTarget(options.record);
  if (record !== null && repeat > 1) throw badOption('repeat', 'options record and repeat cannot be given together');
  const now = parseNow(options.now ?? (mode.type === 'live' ? 'real' : 'recorded'));
  return {
    mode,
    record,
    repeat,
    now,
    order,
    onAmbiguous,
    noProgressMs,
    comparing: { redact, ignore, match, normalize },
  };
}

function parseNow(now: Now): Now {
  if (now === 'recorded' || now === 'real' || (types.isDate(now) && !Number.isNaN(now.getTime()))) return now;
  throw badOption('now', "option now must be 'recorded', 'real' or a valid Date");
}

function candidateTarget(record: unknown): CandidateTarget | null {
  if (record === undefined) return null;
  if (typeof record === 'string') return { path: record, overwrite: false };
  if (typeof record === 'object' && record !== null && 'path' in record && typeof record.path === 'string') {
    return { path: record.path, overwrite: 'overwrite' in record && record.overwrite === true };
  }
  throw badOption('record', 'option record must be the path of a bundle, or { path, overwrite }');
}

function oneOf(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return;
  const given = displayText(typeof value === 'string' ? `'${value}'` : typeof value);
  throw badOption(name, `option ${name} must be ${known.map((each) => `'${each}'`).join(' or ')}, not ${given}`);
}

function badOption(name: string, message: string): StepforkError {
  return new StepforkError('bad_option', message, { details: { option: name } });
}
