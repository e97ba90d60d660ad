import { Readable } from 'node:stream';
import { queueMicrotask } from '../../delivery/clock.js';
import { PLAIN, type Playback } from './playback.js';

/** A Node stream that plays a stream. Nothing is read ahead: a chunk that nobody asks for is not given. */
export function createNodeStream(playback: Playback): Readable {
  const { objectMode, chunks } = playback.content;
  return new Readable({
    objectMode,
    highWaterMark: 0,
    // Where texts were recorded of a stream of bytes, an encoding was set.
    ...(!objectMode && typeof chunks[0] === 'string' ? { encoding: 'utf8' as const } : {}),
    read() {
      playback.step(PLAIN).then(
        // Under the encoding in force a text is given as it is: it was recorded as its consumer got it.
        ({ done, value }) => this.push(done === true ? null : value, this.readableEncoding ?? undefined),
        (thrown: unknown) => this.destroy(thrown as Error),
      );
    },
    destroy(error, done) {
      const held = error === null && this.readableFlowing === true ? playback.takeHeld() : [];
      playback.cancel();
      // Not before the listener that destroyed the stream is done.
      queueMicrotask(() => {
        for (const chunk of held) this.emit('data', chunk);
        done(error);
      });
    },
  });
}
