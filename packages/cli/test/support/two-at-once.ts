const MOST = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Does `work`, which starts a process, when less than two others are at it: more gain nothing. */
export async function twoAtOnce<T>(work: () => Promise<T>): Promise<T> {
  if (running === MOST) await new Promise<void>((turn) => waiting.push(turn));
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
