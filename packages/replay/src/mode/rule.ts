import { displayText, StepforkError } from '@stepfork/trace-format';
import type { CalledFunction } from '../plan/key.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { type Mode, namesOf, type PendingCall, type Ruling } from './mode.js';

const RECORDED: Ruling = { type: 'recorded' };
const LIVE: Ruling = { type: 'live', input: 'recorded' };

/** What the mode makes of a call before anything is looked for in the recording; null where that decides. */
export function ruleBefore(mode: Mode, call: CalledFunction): Ruling | null {
  if (mode.type === 'forbidden') return refuse("was made, and mode 'forbidden' allows no call");
  if (mode.type === 'hybrid' && call.kind === 'llm' && namesOf(call).some((name) => mode.liveLlms.has(name))) {
    return { type: 'live', input: 'whatever' };
  }
  return null;
}

/**
 * What the mode makes of a call that the recording holds.
 *
 * @param describe the call as somebody who decides on it is shown it
 * @throws StepforkError `bad_option` for an answer of `approve` that is none
 */
export function rule(mode: Mode, call: CalledFunction, describe: () => PendingCall): Ruling {
  switch (mode.type) {
    case 'live':
      if (call.kind === 'llm' || mode.allowLiveTools.has(call.name)) return LIVE;
      return refuse('is not in allowLiveTools, so its body may not run');
    case 'manual':
      return ruleByHand(mode.approve, describe());
    default:
      return RECORDED;
  }
}

function ruleByHand(approve: (call: PendingCall) => unknown, call: PendingCall): Ruling {
  const answer = approve(call);
  switch (answer) {
    case 'recorded':
      return RECORDED;
    case 'live':
      return LIVE;
    case 'refuse':
      return refuse('was refused by option approve');
    default: {
      const given = displayText(typeof answer === 'string' ? `'${answer}'` : typeof answer);
      const message = `option approve must answer 'recorded', 'live' or 'refuse' at once, not ${given}`;
      throw new StepforkError('bad_option', message, { details: { option: 'approve' } });
    }
  }
}

function refuse(reason: string): Ruling {
  return { type: 'refused', reason };
}

/** @throws StepforkError `bad_option` where a list names what the recording does not hold */
export function checkNames(mode: Mode, calls: readonly PlannedCall[]): void {
  if (mode.type === 'hybrid') checkList('liveLlms', mode.liveLlms, 'llm', calls);
  if (mode.type === 'live') checkList('allowLiveTools', mode.allowLiveTools, 'tool', calls);
}

function checkList(
  option: string,
  names: ReadonlySet<string>,
  kind: 'tool' | 'llm',
  calls: readonly PlannedCall[],
): void {
  const known = new Set(calls.filter((call) => call.kind === kind).flatMap(namesOf));
  const unknown = [...names].find((name) => !known.has(name));
  if (unknown === undefined) return;
  const what = kind === 'llm' ? 'LLM' : 'tool';
  const held = known.size === 0 ? `it holds no ${what}` : `it holds ${[...known].join(', ')}`;
  const message = displayText(`option ${option} names '${unknown}', which the recording does not hold; ${held}`);
  throw new StepforkError('bad_option', message, { details: { option } });
}
