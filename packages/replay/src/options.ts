import type { RedactOptions } from '@stepfork/redact';
import { displayText, StepforkError } from '@stepfork/trace-format';
import type { OrderPolicy } from './match/find-match.js';

/** How a recording is replayed. */
export interface ReplayOptions {
  /** Given to the entrypoint in place of the recorded run input: `{ args: [...] }` is spread, null is no argument. */
  readonly input?: unknown;
  /** Every call is answered from the recording; no body runs. */
  readonly mode?: 'frozen' | undefined;
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
  /** The redaction rules that the run was recorded under, where they were not the default ones. */
  readonly redact?: RedactOptions | undefined;
}

/** Options, checked and with their defaults. */
export interface ReplaySettings {
  readonly order: OrderPolicy;
  /** null: the default, which depends on the kind of ambiguity. */
  readonly onAmbiguous: 'report' | 'diverge' | null;
  readonly noProgressMs: number;
  readonly redact: RedactOptions | undefined;
}

const NAMES = ['input', 'mode', 'order', 'onAmbiguous', 'noProgressMs', 'redact'];
const DEFAULT_NO_PROGRESS_MS = 10_000;

/** @throws StepforkError `bad_option`, naming the option. */
export function parseOptions(options: ReplayOptions): ReplaySettings {
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name)) throw badOption(name, `replay has no option '${name}'; it has ${NAMES.join(', ')}`);
  }
  const { mode = 'frozen', order = 'recorded', onAmbiguous = null, noProgressMs = DEFAULT_NO_PROGRESS_MS } = options;
  oneOf('mode', mode, ['frozen']);
  oneOf('order', order, ['recorded', 'strict', 'any']);
  if (onAmbiguous !== null) oneOf('onAmbiguous', onAmbiguous, ['report', 'diverge']);
  if (typeof noProgressMs !== 'number' || !(noProgressMs > 0)) {
    throw badOption('noProgressMs', 'option noProgressMs must be a number of milliseconds above 0');
  }
  return { order, onAmbiguous, noProgressMs, redact: options.redact };
}

function oneOf(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return;
  const given = displayText(typeof value === 'string' ? `'${value}'` : typeof value);
  throw badOption(name, `option ${name} must be ${known.map((each) => `'${each}'`).join(' or ')}, not ${given}`);
}

function badOption(name: string, message: string): StepforkError {
  return new StepforkError('bad_option', message, { details: { option: name } });
}
