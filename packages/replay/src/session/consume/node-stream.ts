import type { Consumed, Consumption } from './iterator.js';

/** As much of a Node stream as is used here. */
interface Flowing extends NodeJS.ReadableStream {
  readonly destroy?: () => unknown;
}

/** Reads a Node stream by listeners, so that it is given up in the very step that gave its last chunk. */
export function consumeNodeStream(
  stream: Flowing,
  { chunks, isStopped, cancels, whenToCancel }: Consumption,
): Promise<Consumed> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      if (!cancels) {
        stream.pause();
        resolve({ isWhole: false });
        return;
      }
      const destroy = (): void => void stream.destroy?.();
      const waiting = whenToCancel();
      if (waiting === null) destroy();
      else {
        stream.pause();
        waiting.then(destroy, reject);
      }
    };
    stream.on('end', () => resolve({ isWhole: true }));
    stream.on('error', reject);
    stream.on('close', () => resolve({ isWhole: false }));
    if (isStopped()) {
      stop();
      return;
    }
    stream.on('data', (chunk: unknown) => {
      if (isStopped()) return;
      chunks.push(chunk);
      if (isStopped()) stop();
    });
  });
}
