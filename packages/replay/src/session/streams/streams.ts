import type { Redactor } from '@stepfork/redact';
import { canonicalJson, encodeValue, externalizeBytes, type Json } from '@stepfork/trace-format';
import type { Gate } from '../../delivery/gate.js';
import type { LogEntry } from '../../delivery/recorded-log.js';
import { equalUnderRedaction } from '../../match/under-redaction.js';
import type { PlannedCall } from '../../plan/planned-call.js';
import type { PlannedStream } from '../../plan/planned-stream.js';
import { labelOf } from '../../report/call-view.js';
import type { Divergence } from '../../report.js';
import { captureStack } from '../call-site.js';
import { readPast, refused, sentOther } from '../diverge.js';
import type { LiveCall } from '../live-call.js';
import type { ReplayedCall } from '../replayed-call.js';
import { Playback, type Stage } from './playback.js';
import type { StreamContent } from './stream-content.js';
import { createStream } from './stream-object.js';

/** What the streams of a replay ask of it. */
export interface StreamHost {
  readonly gate: Gate;
  readonly redactor: Redactor;
  /** Somebody waits for it. */
  readonly asked: (entry: LogEntry) => void;
  /** It happened: it was given, or the agent did it. */
  readonly passed: (entry: LogEntry) => void;
  /** It was given though its place in the log had not come. */
  readonly early: (live: LiveCall, recorded: PlannedCall) => void;
  readonly note: (text: string) => void;
  /** The replay diverges. @returns what the agent is to see */
  readonly diverge: (divergence: Divergence) => Error;
  /** What the agent is to see of a divergence that has happened; null before. */
  readonly refusal: (live: LiveCall) => Error | null;
}

interface Playing {
  readonly entry: ReplayedCall;
  readonly recorded: PlannedCall;
  readonly playback: Playback;
}

/** The streams that calls of one replay were answered with. */
export class Streams {
  readonly #host: StreamHost;
  readonly #playing = new Map<PlannedCall, Playing>();

  constructor(host: StreamHost) {
    this.#host = host;
  }

  /**
   * What the call's caller is to be given.
   *
   * @param isGenerator whether the live function is an async generator: nobody can cancel one that is running
   */
  open(entry: ReplayedCall, recorded: PlannedCall, content: StreamContent, isGenerator: boolean): object {
    const { chunks, end } = this.#host.gate.of(recorded);
    const playback = new Playback(content, { chunks, end }, this.#stageFor(entry, recorded, isGenerator));
    this.#playing.set(recorded, { entry, recorded, playback });
    return createStream(playback, (member) => this.#refuseMember(entry.live, recorded, member));
  }

  /** The turn of a chunk, or of the end, has come. */
  deliver(entry: LogEntry): void {
    const playing = this.#playing.get(entry.call);
    if (entry.edge === 'end' && playing !== undefined) playing.entry.status = statusOf(playing.playback.content);
    playing?.playback.deliver(entry);
  }

  /** Whether somebody waits for more than the recording gave before it cancelled a stream. */
  get isAnyPastCancellation(): boolean {
    for (const { playback } of this.#playing.values()) if (playback.isPastCancellation) return true;
    return false;
  }

  /** Nothing moves, and the recording has this next, which is the consumer's to ask for or to do. */
  unblock({ call }: LogEntry): void {
    const playing = this.#playing.get(call);
    const live = playing?.entry.live;
    if (playing?.playback.isPastCancellation === true && live !== undefined) {
      this.#host.diverge(readPast('cancelled', live, call, call.stream?.chunks.length ?? 0));
      return;
    }
    this.#host.gate.drop(call);
    if (live === undefined) return;
    this.#host.note(`nobody reads on in the stream of ${named(live)}, as the recording did, so nothing waits for it`);
  }

  /** The replay has diverged: what is not recorded is waited for no longer. */
  giveUp(): void {
    for (const { entry, playback } of this.#playing.values()) {
      const refusal = this.#host.refusal(entry.live);
      if (refusal !== null) playback.giveUp(refusal);
    }
  }

  /** What is waited for, for a person. */
  get waitedFor(): readonly string[] {
    return [...this.#playing.values()].flatMap(({ entry: { live }, recorded, playback }) => {
      const chunk = playback.awaited;
      if (chunk === null) return [];
      const isRecorded = chunk < (recorded.stream?.chunks.length ?? 0) || recorded.end !== null;
      const why = isRecorded ? 'whose turn has not come' : 'which the recording does not hold';
      return [`chunk ${chunk + 1} of ${named(live)}, ${why}`];
    });
  }

  #stageFor(entry: ReplayedCall, recorded: PlannedCall, isGenerator: boolean): Stage {
    const host = this.#host;
    const { live } = entry;
    let isEarly = false;
    const here = (): LiveCall => ({ ...live, stack: captureStack() });
    return {
      ask: host.asked,
      takeNow: (place) => {
        host.gate.read(recorded);
        if (!isEarly && host.gate.isOrdered && !host.gate.isDue(place)) {
          isEarly = true;
          host.early(live, recorded);
        }
        if (place.edge === 'end') entry.status = recorded.stream?.end === 'failed' ? 'error' : 'ok';
        host.passed(place);
      },
      cancelled: (end) => {
        entry.status = 'ok';
        host.passed(end);
      },
      dropped: (given, left) => {
        entry.status = 'ok';
        host.gate.drop(recorded);
        if (left === 0 || host.refusal(live) !== null) return;
        const place = given === 0 ? 'before its first chunk' : `after chunk ${given}`;
        host.note(`${named(live)} was cancelled ${place}; the recording goes on for ${left} more`);
      },
      thrownInto: (given) => {
        host.note(`${named(live)} was thrown into after chunk ${given}, and went on as in the recording`);
      },
      objectionTo: (sent, chunk) => {
        if (chunk === 0 || recorded.stream === null || !isSentKnown(recorded.stream, chunk)) return null;
        const { sent: expected = NOTHING } = recorded.stream.chunks[chunk] ?? recorded.stream;
        const actual = this.#encodeSent(sent);
        if (isEqual(expected, actual)) return null;
        return host.refusal(live) ?? host.diverge(sentOther(here(), recorded, chunk, { recorded: expected, actual }));
      },
      pastEnd: (end, chunk) => host.diverge(readPast(end, here(), recorded, chunk)),
      isCancelledBetweenSteps: isGenerator,
      refusal: () => host.refusal(live),
    };
  }

  #encodeSent(sent: unknown): Json {
    return sent === undefined ? NOTHING : externalizeBytes(this.#host.redactor.redact(encodeValue(sent).json).value);
  }

  #refuseMember(live: LiveCall, recorded: PlannedCall, member: string): Error {
    const reason = `was asked for its member '${member}', which could not be recorded`;
    const here = { ...live, stack: captureStack() };
    return this.#host.refusal(live) ?? this.#host.diverge(refused('unservable', here, recorded, reason));
  }
}

/** Whether the recording says what was sent for a chunk, or for the end after the last one. */
function isSentKnown({ chunks, end }: PlannedStream, chunk: number): boolean {
  return chunk < chunks.length || (chunk === chunks.length && end === 'complete');
}

const NOTHING = encodeValue(undefined).json;

function isEqual(recorded: Json, actual: Json): boolean {
  return (
    recorded === actual || canonicalJson(recorded) === canonicalJson(actual) || equalUnderRedaction(recorded, actual)
  );
}

function statusOf({ end }: StreamContent): ReplayedCall['status'] {
  return end === 'failed' ? 'error' : 'ok';
}

function named(live: LiveCall): string {
  return `${labelOf(live)} (call #${live.number})`;
}
