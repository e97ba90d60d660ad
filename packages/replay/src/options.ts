import { types } from 'node:util';
import type { RedactOptions } from '@stepfork/redact';
import { displayText, StepforkError } from '@stepfork/trace-format';
import type { Now } from './clock/run-clock.js';
import { type AllowList, parseAllow } from './guard/allow-list.js';
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
  /**
   * Hosts and commands that the agent's code may reach outside its instrumented calls: `db.test`, `127.0.0.1:5432`, `git`;
   * `*` for all. Anything else is stopped there and then, but in mode `live`. Default: none.
   */
  readonly allow?: readonly string[] | undefined;
  /** Whether the report lists what the run used that is not frozen. Default: false. */
  readonly observe?: boolean | undefined;
  /**
   * Whether the agent's own timers end at once, in the order in which they would have ended, when nothing else is going
   * on. Default: false, they take their time.
   */
  readonly skipSleeps?: boolean | undefined;
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
  readonly skipSleeps: boolean;
  readonly observe: boolean;
  /** null: nothing is stopped. */
  readonly allow: AllowList | null;
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
  ...['ignore', 'match', 'normalize', 'record', 'repeat', 'now', 'skipSleeps', 'allow', 'observe'],
];
const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_10000 = Date.parse('+010000-01-01T00:00:00Z');
const DEFAULT_NO_PROGRESS_MS = 10_000;

/** @throws StepforkError `bad_option`, naming the option. */
export function parseOptions(options: ReplayOptions): ReplaySettings {
  if (typeof options !== 'object' || options === null)
    throw badOption('options', 'the options of a replay must be an object');
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw badOption(name, `replay has no option '${name}'; it has ${NAMES.join(', ')}`);
  }
  const mode = parseMode(options);
  const { redact, ignore, match, normalize } = options;
  const settings = {
    mode,
    record: candidateTarget(options.record),
    now: parseNow(options.now ?? (mode.type === 'live' ? 'real' : 'recorded')),
    allow: mode.type === 'live' ? withoutGuard(options.allow) : parseAllow(options.allow ?? []),
    skipSleeps: trueOrFalse('skipSleeps', options.skipSleeps ?? false),
    observe: trueOrFalse('observe', options.observe ?? false),
    repeat: numberAboveZero('repeat', 'a whole number', options.repeat ?? 1, Number.isInteger),
    order: oneOf('order', options.order ?? 'recorded', ['recorded', 'strict', 'any']),
    onAmbiguous:
      options.onAmbiguous === undefined ? null : oneOf('onAmbiguous', options.onAmbiguous, ['report', 'diverge']),
    noProgressMs: numberAboveZero(
      'noProgressMs',
      'a number of milliseconds',
      options.noProgressMs ?? DEFAULT_NO_PROGRESS_MS,
    ),
    comparing: { redact, ignore, match, normalize },
  };
  if (settings.record === null || settings.repeat === 1) return settings;
  throw badOption('repeat', 'options record and repeat cannot be given together');
}

/** Everything runs for real, so there is nothing to stop. */
function withoutGuard(allow: unknown): null {
  if (allow === undefined) return null;
  throw badOption('allow', "option allow is not for mode 'live', which stops nothing");
}

function parseNow(now: Now): Now {
  if (now === 'recorded' || now === 'real') return now;
  // The years that a timestamp can hold.
  if (types.isDate(now) && now.getTime() >= YEAR_1 && now.getTime() < YEAR_10000) return now;
  throw badOption('now', "option now must be 'recorded', 'real' or a valid Date of the years 1 to 9999");
}

function candidateTarget(record: unknown): CandidateTarget | null {
  if (record === undefined) return null;
  if (typeof record === 'string') return { path: record, overwrite: false };
  if (typeof record === 'object' && record !== null && 'path' in record && typeof record.path === 'string') {
    const overwrite = 'overwrite' in record ? record.overwrite : undefined;
    return { path: record.path, overwrite: trueOrFalse('record.overwrite', overwrite ?? false) };
  }
  throw badOption('record', 'option record must be the path of a bundle, or { path, overwrite }');
}

function trueOrFalse(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw badOption(name, `option ${name} must be true or false`);
}

function numberAboveZero(
  name: string,
  what: string,
  value: unknown,
  isOne = (_value: number): boolean => true,
): number {
  if (typeof value === 'number' && value > 0 && isOne(value)) return value;
  throw badOption(name, `option ${name} must be ${what} above 0`);
}

function oneOf<T extends string>(name: string, value: T, known: readonly T[]): T {
  if (known.includes(value)) return value;
  const given = displayText(typeof value === 'string' ? `'${value}'` : typeof value);
  throw badOption(name, `option ${name} must be ${known.map((each) => `'${each}'`).join(' or ')}, not ${given}`);
}

function badOption(name: string, message: string): StepforkError {
  return new StepforkError('bad_option', message, { details: { option: name } });
}
