import { displayText, StepforkError } from '@stepfork/trace-format';
import type { Approval, Mode, PendingCall, ReplayMode } from './mode.js';

/** What of the options of a replay chooses its mode. */
export interface ModeOptions {
  /**
   * `frozen`: every call is answered from the recording, no body runs. `hybrid`: the LLMs of `liveLlms` really run,
   * all else is frozen. `live`: every call must be the recorded one and then really runs. `forbidden`: no call is
   * allowed. `manual`: `approve` decides on each call. Default: `frozen`.
   */
  readonly mode?: ReplayMode | undefined;
  /** For `hybrid`: LLMs by model or by `provider/model`. Their input may be any. */
  readonly liveLlms?: readonly string[] | undefined;
  /** For `live`: the tools that may run. Any other one is refused before its body runs. */
  readonly allowLiveTools?: readonly string[] | undefined;
  /** For `manual`: asked before each call that is in the recording, and answered at once. */
  readonly approve?: ((call: PendingCall) => Approval) | undefined;
}

const MODES = ['frozen', 'hybrid', 'live', 'forbidden', 'manual'];

/** @throws StepforkError `bad_option`, for options that do not go together too */
export function parseMode({ mode = 'frozen', liveLlms, allowLiveTools, approve }: ModeOptions): Mode {
  onlyWith('hybrid', mode, 'liveLlms', liveLlms);
  onlyWith('live', mode, 'allowLiveTools', allowLiveTools);
  onlyWith('manual', mode, 'approve', approve);
  switch (mode) {
    case 'frozen':
    case 'forbidden':
      return { type: mode };
    case 'hybrid': {
      const names = namesIn('liveLlms', liveLlms ?? []);
      if (names.size > 0) return { type: mode, liveLlms: names };
      throw bad('liveLlms', "mode 'hybrid' needs option liveLlms: the models that really run, like ['openai/gpt-4o']");
    }
    case 'live':
      return { type: mode, allowLiveTools: namesIn('allowLiveTools', allowLiveTools ?? []) };
    case 'manual':
      if (typeof approve === 'function') return { type: mode, approve };
      throw bad(
        'approve',
        "mode 'manual' needs option approve: a function that answers 'recorded', 'live' or 'refuse'",
      );
    default:
      throw unknownMode(mode);
  }
}

function unknownMode(mode: unknown): StepforkError {
  if (mode === 'derived') {
    return bad('mode', "mode 'derived' is read in bundles but not replayed; use 'frozen', or 'hybrid' for single LLMs");
  }
  const known = MODES.map((each) => `'${each}'`).join(', ');
  return bad('mode', `option mode must be one of ${known}, not ${displayText(JSON.stringify(mode) ?? typeof mode)}`);
}

function onlyWith(needed: string, mode: string, option: string, value: unknown): void {
  if (value === undefined || mode === needed) return;
  throw bad(option, `option ${option} is for mode '${needed}', and the mode is '${displayText(String(mode))}'`);
}

function namesIn(option: string, names: unknown): ReadonlySet<string> {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string' && name !== '')) return new Set(names);
  throw bad(option, `option ${option} must be a list of names`);
}

function bad(option: string, message: string): StepforkError {
  return new StepforkError('bad_option', message, { details: { option } });
}
