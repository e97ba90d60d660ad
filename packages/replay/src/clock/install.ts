import { patchDate } from './patch-date.js';
import { patchIntl } from './patch-intl.js';
import { patchPerformance } from './patch-performance.js';

/** The patches of one realm, shared by all copies of this package in it. */
interface Installation {
  holders: number;
  readonly remove: () => void;
}

/** On `globalThis`, not on a core module: each realm of jest's has a Date of its own. */
const KEY = Symbol.for('stepfork.clock/1');

/**
 * Makes Date, Intl.DateTimeFormat and performance of this realm ask, at each call, whether they are in the run of a
 * replay that has a clock. Outside such a run they answer as before.
 *
 * @returns gives them back; the last one to do so leaves everything as it was found
 */
export function installClock(): () => void {
  const home = globalThis as { [KEY]?: Installation };
  const installation = home[KEY] ?? install();
  Object.defineProperty(home, KEY, { value: installation, configurable: true });
  installation.holders++;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    if (--installation.holders > 0) return;
    installation.remove();
    delete home[KEY];
  };
}

function install(): Installation {
  const undos = [...patchPerformance(), ...patchIntl(), ...patchDate()];
  return { holders: 0, remove: () => undos.forEach((undo) => void undo()) };
}
