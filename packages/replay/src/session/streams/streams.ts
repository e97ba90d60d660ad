import type { Act } from '@stepfork/recorder/boundary';
import type { Redactor } from '@stepfork/redact';
import { canonicalJson, encodeValue, externalizeBytes, type Json } from '@stepfork/trace-format';
import type { Gate } from '../../delivery/gate.js';
import type { LogEntry } from '../../delivery/recorded-log.js';
import { equalUnderRedaction } from '../../match/under-redaction.js';
import type { PlannedCall } from '../../plan/planned-call.js';
import { actAt, type PlannedStream } from '../../plan/planned-stream.js';
import { labelOf } from '../../report/call-view.js';
import type { Divergence } from '../../report.js';
import { captureStack } from '../call-site.js';
import { askedOther, readPast, refused } from '../diverge.js';
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
  /** Those that a note was made of, since nobody reads on. */
  readonly #left = new Set<PlannedCall>();

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
    this.#left.add(call);
    this.#host.note(`nobody reads on in the stream of ${named(live)}, as the recording did, so nothing waits for it`);
  }

  /** The run is over: what nobody asked for, of a stream that nobody gave up, is noted. */
  noteLeft(): void {
    for (const [call, { entry, playback }] of this.#playing) {
      if (!playback.isLeft || this.#left.has(call) || this.#host.refusal(entry.live) !== null) continue;
      const { unread } = playback;
      // The end of what is no iterator comes without being asked for.
      if (unread === 0 && (call.end === null || call.stream?.areActsKnown !== true)) continue;
      const isGivenUp = unread === 0 && call.stream?.end === 'cancelled';
      const does = isGivenUp ? 'gives up' : 'reads on in';
      this.#host.note(`nobody ${does} the stream of ${named(entry.live)}, as the recording did`);
    }
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
    const { stream } = recorded;
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
        const rest = left > 0 ? `goes on for ${left} more` : stream === null ? null : unlike(stream);
        if (rest === null || host.refusal(live) !== null) return;
        host.note(`${named(live)} was cancelled ${after(given)}; the recording ${rest}`);
      },
      recordedAct: (step) => (stream?.areActsKnown === true ? (actAt(stream, step)?.by ?? null) : null),
      areActsKnown: stream?.areActsKnown === true,
      thrownInto: (given, goesOn) => {
        const what = goesOn
          ? 'and went on as in the recording, which does not say whether anything was thrown there'
          : 'and ended with that: the recording does not say what was thrown where';
        host.note(`${named(live)} was thrown into ${after(given)}, ${what}`);
      },
      objectionTo: (act, step) => {
        const expected = stream === null ? null : actAt(stream, step);
        if (stream === null || expected === null || isFree(stream, act.by, step)) return null;
        const actual = { by: act.by, value: this.#encode(act.value) };
        if (expected.by === actual.by && isEqual(expected.value, actual.value)) return null;
        return host.refusal(live) ?? host.diverge(askedOther(here(), recorded, step, { recorded: expected, actual }));
      },
      pastEnd: (end, chunk) => host.diverge(readPast(end, here(), recorded, chunk)),
      isCancelledBetweenSteps: isGenerator,
      refusal: () => host.refusal(live),
    };
  }

  #encode(given: unknown): Json {
    return externalizeBytes(this.#host.redactor.redact(encodeValue(given).json).value);
  }

  #refuseMember(live: LiveCall, recorded: PlannedCall, member: string): Error {
    const reason = `was asked for its member '${member}', which could not be recorded`;
    const here = { ...live, stack: captureStack() };
    return this.#host.refusal(live) ?? this.#host.diverge(refused('unservable', here, recorded, reason));
  }
}

/**
 * Whether the recording is not asked how a step came about: a generator does not see what is sent for its first chunk, and
 * to read on where the recording gave up is told of as that, unless the stream had nothing more to give.
 */
function isFree({ chunks, end, act }: PlannedStream, by: Act['by'], step: number): boolean {
  if (by !== 'next') return false;
  const expected = chunks[step]?.act ?? act;
  if (expected?.by === 'next') return step === 0;
  return expected?.by === 'return' && step === chunks.length && end !== 'failed';
}

/** What the recording does where this run gives up a stream of which it has no more chunks; null for the same. */
function unlike({ end, act, areActsKnown, kind }: PlannedStream): string | null {
  // Of other iterators nothing more happens, whichever way they are given up; nor need they have a `return`.
  if (!areActsKnown || kind === 'async-iterable' || act?.by === 'return') return null;
  return end === 'cut' ? 'leaves it open' : 'asks for its end';
}

function after(given: number): string {
  return given === 0 ? 'before its first chunk' : `after chunk ${given}`;
}

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
