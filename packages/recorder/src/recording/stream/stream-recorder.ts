import {
  type EncodedValue,
  encodeValue,
  type Json,
  STREAM_TAG,
  type StreamKind,
  TAG_KEY,
} from '@stepfork/trace-format/write';
import type { BoundaryCall, Frame } from '../../boundary/handler.js';
import { isWithin } from '../../boundary/here.js';
import type { Answered } from '../../boundary/observe.js';
import { slot } from '../../boundary/slot.js';
import type { Act, Cancellation, StreamObserver } from '../../boundary/stream/observer.js';
import { elapsedMs } from '../../clock.js';
import { answerEvent, readUsage } from '../call-events.js';
import type { MadeCall } from '../call-notes.js';
import { recordThrown } from '../call-thrown.js';
import { captureResult } from '../capture.js';
import type { EventLog } from '../event-log.js';
import { placeholderRecords, warnOfPlaceholders } from '../placeholders.js';
import { ChunkUsage } from './chunk-usage.js';
import { actFields, noteEnd } from './stream-acts.js';
import { StreamChunks } from './stream-chunks.js';
import { streamFacts } from './stream-facts.js';
import { TerminalChunk } from './terminal-chunk.js';

/** Writes into the run's log; null, and nothing, once that is over or has failed. */
export type Write = <T>(write: (log: EventLog) => T) => T | null;

/** The same a little later, so that nobody waits for it: what it writes must be captured already. */
export type WriteSoon = (write: (log: EventLog) => void) => void;

/** A call that was answered with a stream. */
export interface StreamedCall {
  readonly call: BoundaryCall;
  readonly made: MadeCall;
  readonly answered: Answered;
  /** In which its body runs. */
  readonly inside: Frame;
}

/** Records one stream as the answer of one call: that it was given, what its consumer got of it, and its end. */
export class StreamRecorder implements StreamObserver {
  readonly #streamed: StreamedCall;
  readonly #write: Write;
  readonly #soon: WriteSoon;
  readonly #onOver: (recorder: StreamRecorder) => void;
  readonly #terminal = new TerminalChunk();
  readonly #usage = new ChunkUsage();
  /** For a `usage` callback. */
  readonly #given: unknown[] = [];
  /** Null before it is given to its consumer, and again when it is over. */
  #open: { readonly kind: StreamKind; readonly chunks: StreamChunks } | null = null;

  constructor(streamed: StreamedCall, write: Write, soon: WriteSoon, onOver: (recorder: StreamRecorder) => void) {
    this.#streamed = streamed;
    this.#write = write;
    this.#soon = soon;
    this.#onOver = onOver;
  }

  get isDone(): boolean {
    return !this.#streamed.inside.handler.active;
  }

  /** The call's caller is about to be given the stream. */
  opened(kind: StreamKind, stream: object): void {
    const { made, answered } = this.#streamed;
    this.#write((log) => {
      const { members, ...facts } = streamFacts(kind, stream);
      const opening = { type: 'stream', call_id: made.id, kind, answered, call_turn: made.turn } as const;
      const noted = { ...opening, ...log.point(), ...facts };
      this.#open = { kind, chunks: new StreamChunks(made.id, log) };
      this.#deliver(log, (later) =>
        later.note(members === undefined ? noted : { ...noted, members: later.redact(members) }),
      );
    });
  }

  /** The run is over before the stream is: what was delivered is written, and there is no outcome. */
  leftOpen(log: EventLog): void {
    this.#open?.chunks.end(log);
    this.#open = null;
  }

  inside<T>(step: () => T): T {
    const { inside } = this.#streamed;
    return inside.handler.active ? slot().frames.run(inside, step) : step();
  }

  outside<T>(step: () => T): T {
    const { inside } = this.#streamed;
    const { frames } = slot();
    return inside.parent !== null && isWithin(frames.getStore(), inside) ? frames.run(inside.parent, step) : step();
  }

  chunk(value: unknown, act?: Act): void {
    if (this.#open === null) return;
    const { call, made } = this.#streamed;
    this.#write((log) => {
      const captured = captureResult(value, call.chunkCodec);
      const asked = actFields(log, act);
      // Capturing may run the agent's code (a getter, a codec), which may read on.
      const chunks = this.#open?.chunks;
      if (chunks === undefined) return;
      warnOfPlaceholders(call, placeholderRecords(made.id, `output/chunks/${chunks.count}`, captured));
      this.#look(value);
      const delivery = { ...log.point(), ...asked };
      this.#deliver(log, (later) => chunks.deliver(later, captured, delivery));
    });
  }

  ended(returned?: unknown, act?: Act): void {
    this.#finish('complete', returned, act);
  }

  failed(thrown: unknown, act?: Act): void {
    const { call, made } = this.#streamed;
    this.#over((log) => {
      noteEnd(log, made.id, act);
      recordThrown(log, call, made, thrown);
    });
  }

  cancelled({ returned, act, sourceEnded = false }: Cancellation = {}): void {
    this.#finish(sourceEnded || this.#terminal.isReached ? 'complete' : 'cancelled', returned, act);
  }

  /** What a model says is waited for, piece by piece. What a tool gives may be all that is known of what it did. */
  #deliver(log: EventLog, write: (log: EventLog) => void): void {
    if (this.#streamed.call.kind === 'llm') this.#soon(write);
    else write(log);
  }

  #finish(end: 'complete' | 'cancelled', returned: unknown, act?: Act): void {
    const { call, made } = this.#streamed;
    const sent = act?.by === 'next' ? act.value : undefined;
    this.#over((log, kind, chunks) => {
      // What was sent stands in the outcome.
      if (act?.by !== 'next') noteEnd(log, made.id, act);
      const { values, placeholders } = chunks.all;
      const captured = chunks.cut ?? streamOutput(kind, end, { values, placeholders }, { returned, sent });
      log.record(
        call,
        made.id,
        (base, keep) => {
          const kept = keep('output', captured);
          return answerEvent(call, base, elapsedMs(made.atMs), kept, () =>
            readUsage(call, this.#given, () => this.#usage.usage),
          );
        },
        chunks.findings,
      );
    });
  }

  #over(record: (log: EventLog, kind: StreamKind, chunks: StreamChunks) => void): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    this.#write((log) => {
      open.chunks.end(log);
      record(log, open.kind, open.chunks);
    });
    this.#given.length = 0;
    this.#onOver(this);
  }

  #look(value: unknown): void {
    const { call } = this.#streamed;
    if (call.usage !== undefined) this.#given.push(value);
    try {
      this.#terminal.see(value);
      if (call.kind === 'llm' && call.usage === undefined) this.#usage.see(value);
    } catch {
      // A proxy of the agent's that throws when it is looked at says nothing of these.
    }
  }
}

/** @param last what a generator came to, and what its consumer sent for that */
function streamOutput(
  kind: StreamKind,
  end: 'complete' | 'cancelled',
  { values, placeholders }: StreamChunks['all'],
  last: { readonly returned: unknown; readonly sent: unknown },
): EncodedValue {
  // In the order of the file, so that no other has to be noted.
  const json: Record<string, Json> = { [TAG_KEY]: STREAM_TAG, chunks: values, end, kind };
  const lost = [...placeholders];
  for (const name of ['returned', 'sent'] as const) {
    if (last[name] === undefined) continue;
    const encoded = encodeValue(last[name]);
    json[name] = encoded.json;
    lost.push(...encoded.placeholders.map(({ path, reason }) => ({ path: `/${name}${path}`, reason })));
  }
  return { json, placeholders: lost };
}
