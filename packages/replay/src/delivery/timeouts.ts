import { executionAsyncId } from 'node:async_hooks';

/** A piece of code that runs without giving way, and what it asked for. */
export interface Stretch {
  readonly id: number;
  /** It asked for something. */
  asks: boolean;
  /** How much of that has not been answered. */
  open: number;
}

/**
 * Tells which timers are timeouts. One that was set in the same stretch of code in which something was asked for is
 * taken for the timeout of that, and most code never clears those.
 */
export class Timeouts {
  readonly #asked = new Map<object, Stretch>();
  #stretch: Stretch | null = null;

  /** The stretch that runs now. */
  here(): Stretch {
    const id = executionAsyncId();
    if (this.#stretch?.id !== id) this.#stretch = { id, asks: false, open: 0 };
    return this.#stretch;
  }

  /** Somebody waits for it from now on. */
  asked(what: object): void {
    const stretch = this.here();
    stretch.asks = true;
    stretch.open++;
    this.#asked.set(what, stretch);
  }

  answered(what: object): void {
    const stretch = this.#asked.get(what);
    if (stretch === undefined) return;
    this.#asked.delete(what);
    stretch.open--;
    // Some callbacks run again and again under one id; what they do after an answer is another stretch.
    this.#stretch = null;
  }
}

/** Whether all is answered that was asked for in it. */
export function isAnswered({ asks, open }: Stretch): boolean {
  return asks && open === 0;
}
