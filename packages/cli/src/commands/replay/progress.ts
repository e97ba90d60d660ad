/** Work of less than this is over before anybody wonders. */
const PATIENCE_MS = 1_000;

/** A line on a terminal's stderr that says how far the work is; nothing anywhere else. */
export interface Progress {
  /** One more is done. */
  readonly done: () => void;
  /** Writes something else, with the line out of the way. */
  readonly around: (write: () => void) => void;
  readonly end: () => void;
}

export function createProgress(total: number): Progress {
  const { stderr } = process;
  const began = Date.now();
  let count = 0;
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[K');
    isShown = false;
  };
  const show = (): void => {
    if (stderr.isTTY !== true || Date.now() - began < PATIENCE_MS || count === total) return;
    stderr.write(`\r\u001b[K${count} of ${total} replayed`);
    isShown = true;
  };
  return {
    done: () => {
      count++;
      clear();
      show();
    },
    around: (write) => {
      clear();
      write();
    },
    end: clear,
  };
}
