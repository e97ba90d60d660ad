import { Readable } from 'node:stream';
import type { StreamKind } from '@stepfork/trace-format';
import {
  byBuffer,
  byListener,
  byNodePipe,
  byReader,
  byReading,
  byWebPipe,
  loop,
  loopSync,
  loopThrowing,
  type Seen,
} from './stream-consumers.js';
import {
  Completion,
  generate,
  generateLater,
  node,
  type Plan,
  Steps,
  selfIterator,
  web,
  webBytes,
} from './stream-sources.js';

/** A kind of stream, and one way to consume it. */
export interface Subject {
  readonly name: string;
  readonly kind: StreamKind;
  /** @param log told what is asked of the source */
  readonly make: (plan: Plan, log: string[]) => unknown;
  /** Reads to the end, or until so many chunks were read. */
  readonly consume: (stream: never, most: number) => Promise<Seen>;
  /** Whether a stream is what `make` made, for the eyes of its consumer. */
  readonly is: (stream: unknown) => boolean;
  /** Chunks are bytes, one in each. */
  readonly isBytes?: true;
  /** Stopping tells nobody. */
  readonly stopsSilently?: true;
}

const isTagged =
  (tag: string) =>
  (stream: unknown): boolean =>
    Object.prototype.toString.call(stream) === `[object ${tag}]`;
const isWeb = (stream: unknown): boolean => stream instanceof ReadableStream;
const isNode = (stream: unknown): boolean => stream instanceof Readable;

export const SUBJECTS: readonly Subject[] = [
  { name: 'a generator', kind: 'generator', make: generate, consume: loopSync, is: isTagged('Generator') },
  {
    name: 'an iterator',
    kind: 'generator',
    make: (plan, log) => new Steps(plan, log),
    consume: loopSync,
    is: (stream) => stream instanceof Steps,
  },
  {
    name: 'an async generator',
    kind: 'async-generator',
    make: generateLater,
    consume: loop,
    is: isTagged('AsyncGenerator'),
  },
  {
    name: 'an async generator whose consumer throws',
    kind: 'async-generator',
    make: generateLater,
    consume: loopThrowing,
    is: isTagged('AsyncGenerator'),
  },
  {
    name: 'an async iterable with members',
    kind: 'async-iterable',
    make: (plan, log) => new Completion(plan, log),
    consume: loop,
    is: (stream) => stream instanceof Completion && stream.length >= 0 && stream.id === 'c-1',
  },
  {
    name: 'an async iterable that is its own iterator',
    kind: 'async-iterable',
    make: selfIterator,
    consume: loop,
    is: (stream) => Object.keys(stream as object).join() === 'next',
    stopsSilently: true,
  },
  { name: 'a web stream, by reader', kind: 'web', make: web, consume: byReader, is: isWeb },
  { name: 'a web stream, by loop', kind: 'web', make: web, consume: loop, is: isWeb },
  { name: 'a web stream, piped', kind: 'web', make: web, consume: byWebPipe, is: isWeb },
  {
    name: 'a byte stream, by reader',
    kind: 'web-bytes',
    make: webBytes,
    consume: byReader,
    is: isWeb,
    isBytes: true,
  },
  {
    name: 'a byte stream, into buffers',
    kind: 'web-bytes',
    make: webBytes,
    consume: byBuffer,
    is: isWeb,
    isBytes: true,
  },
  { name: 'a Node stream, by loop', kind: 'node', make: node, consume: loop, is: isNode },
  { name: 'a Node stream, by listeners', kind: 'node', make: node, consume: byListener, is: isNode },
  { name: 'a Node stream, by read()', kind: 'node', make: node, consume: byReading, is: isNode },
  { name: 'a Node stream, piped', kind: 'node', make: node, consume: byNodePipe, is: isNode },
];
