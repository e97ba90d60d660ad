import type { StreamKind } from '@stepfork/trace-format';
import type { PlannedStream } from '../../plan/planned-stream.js';
import { decode, revive, unservable, type ValueReader } from '../recorded-value.js';
import type { Receiver } from '../revive.js';
import type { StreamContent } from './stream-content.js';
import { isBytes } from './web-stream.js';

/**
 * All that a recorded stream gives, rebuilt beforehand: what cannot be given is refused before anything is.
 *
 * @param thrown what the stream throws at its end
 * @throws StepforkError `unservable`, naming the chunk
 */
export function reviveStream(
  stream: PlannedStream,
  thrown: unknown,
  receiver: Receiver,
  reader: ValueReader,
): StreamContent {
  const kind = kindFor(stream.kind, receiver);
  const chunks = stream.chunks.map(({ data }, index) => {
    const what = `chunk ${index + 1}`;
    const chunk = decode(revive(data, what, reader, 'chunkCodec'), what, receiver.chunkCodec);
    if (kind === 'web-bytes' && !isBytes(chunk)) throw unservable(`the recorded ${what} of a stream of bytes is none`);
    return chunk;
  });
  const returned = stream.returned === undefined ? undefined : revive(stream.returned, 'return value', reader);
  const { objectMode, end, members, act, passesOn } = stream;
  const endsBy = act?.by ?? null;
  return { kind, objectMode, chunks, end, returned, thrown, endsBy, passesOn, members, blobs: reader.blobs };
}

/** A function that is a generator gives one, whatever it was when it was recorded. */
function kindFor(recorded: StreamKind, { answers }: Receiver): StreamKind {
  return answers === 'generator' || answers === 'async-generator' ? answers : recorded;
}
