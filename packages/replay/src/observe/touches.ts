import { callSite, captureStack, type Entered, isOwnCall } from '../session/call-site.js';

/** What a replay does not freeze, or freezes only roughly. */
export type TouchedKind = 'clock' | 'random' | 'environment' | 'files';

/** Something that the replayed run used besides its calls and what the guard stops. */
export interface Touch {
  readonly what: TouchedKind;
  /** The function, with the variable or the path: `Math.random`, `process.env.HOME`, `fs.readFileSync config.json`. */
  readonly name: string;
  readonly count: number;
  /** Where it was used first: `agent.ts:12:9`. */
  readonly callSite: string | null;
}

/** Different things that are kept; an agent may read thousands of files. */
const MOST = 500;

/** Counts what one run touches. */
export class Touches {
  readonly #found = new Map<string, { -readonly [K in keyof Touch]: Touch[K] }>();

  /** @param entered the function that was called for it, where Stepfork may call it too: that does not count */
  add(what: TouchedKind, name: string, entered?: Entered): void {
    const stack = captureStack(entered);
    if (entered !== undefined && isOwnCall(stack)) return;
    const key = `${what} ${name}`;
    const found = this.#found.get(key);
    if (found !== undefined) found.count++;
    else if (this.#found.size < MOST) {
      this.#found.set(key, { what, name, count: 1, callSite: callSite(stack) });
    }
  }

  get list(): readonly Touch[] {
    return [...this.#found.values()];
  }
}
