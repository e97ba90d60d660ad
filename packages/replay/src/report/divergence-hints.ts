import { type Place, parseSelector, withoutPlace } from '@stepfork/diff';
import { canonicalJson, displayText, type Json, toPointer } from '@stepfork/trace-format';
import type { ReplayPlan } from '../plan/plan.js';
import type { PlannedCall } from '../plan/planned-call.js';
import type { Difference, Divergence } from '../report.js';
import type { ReplayResult } from '../session/replay-run.js';
import { labelOf } from './call-view.js';
import { MOST_DIFFERENCES } from './differences.js';
import { areTimesOf } from './recorded-times.js';

/** An input that differs in more places is not the recorded one but for what changes from run to run. */
const FEW = 4;
/** One step of a path as differences have it: `a`, `[0]`, `["odd key"]`. */
const STEP = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g;

/** How a recording that this run diverged from could be replayed all the same, where the difference is meant. */
export function divergenceHints(plan: ReplayPlan, { divergence, calls }: ReplayResult): readonly string[] {
  if (divergence === null) return [];
  if (divergence.code === 'reordered') {
    return [ofOrder(plan, divergence, calls)];
  }
  if (divergence.code !== 'input_changed') return [];
  const live = calls.find((call) => call.live.number === divergence.position);
  const recorded = divergence.recorded?.index ?? null;
  // What was sent to a generator that is being answered is no input.
  if (live === undefined || live.recorded !== null || recorded === null) return [];
  const call = plan.calls[recorded];
  return call === undefined ? [] : inputChanged(plan, divergence, call, live.live.compared);
}

/** Another order helps with a call that comes later, and not with one that does not come any more. */
function ofOrder({ calls: recorded }: ReplayPlan, divergence: Divergence, calls: ReplayResult['calls']): string {
  const expected = recorded[divergence.recorded?.index ?? -1];
  const came = expected === undefined || calls.some(({ live }) => live.fingerprint === expected.fingerprint);
  const any = "option order accepts any: order: 'any'";
  if (came) return `if the order of these calls does not matter, ${any}`;
  return `${labelOf(expected)} had not come when the run ended: if it still comes, only later, ${any}; if it is not called any more, that is what changed`;
}

function inputChanged(plan: ReplayPlan, { differences }: Divergence, call: PlannedCall, live: Json): readonly string[] {
  const { run } = plan;
  const isTime = run.reads.length > 0 ? () => false : areTimesOf(run);
  // Of more differences than are reported, the others may be of another kind.
  const areAllTold = differences.length > 0 && differences.length < MOST_DIFFERENCES;
  if (areAllTold && differences.every(isTime)) {
    return [
      'the inputs differ in times that the agent read off its clock; record(…, { clock: true }) keeps exact times',
    ];
  }
  const rule = ignoreRule(call, differences, live);
  return rule === null ? [] : [`if this may differ from run to run, option ignore leaves it out: ignore: ${rule}`];
}

/** The rule under which the live input is the recorded one; null where there is none to recommend. */
function ignoreRule(call: PlannedCall, differences: readonly Difference[], live: Json): string | null {
  const places = differences.map(({ path }) => placeOf(path));
  if (places.length === 0 || places.length > FEW || places.some(({ length }) => length === 0)) return null;
  const selector = `${call.kind}:${call.provider ? `${call.provider}/` : ''}${call.name}`;
  const isAlike = canonicalJson(without(call.compared, places)) === canonicalJson(without(live, places));
  if (!isAlike || parseSelector(selector)?.(call) !== true) return null;
  return `{ ${quoted(selector)}: [${places.map((place) => quoted(toPointer(place))).join(', ')}] }`;
}

function without(value: Json, places: readonly Place[]): Json {
  return places.reduce((left, place) => withoutPlace(left, place).value, value);
}

/** The keys of a path; none for the root. */
function placeOf(path: string): Place {
  if (path === '$') return [];
  return [...path.matchAll(STEP)].map(([, index, odd, key]) => index ?? key ?? String(JSON.parse(odd ?? '""')));
}

function quoted(text: string): string {
  return displayText(/['\\]/.test(text) ? JSON.stringify(text) : `'${text}'`);
}
