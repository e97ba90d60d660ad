import type { BoundaryCall } from '@stepfork/recorder/boundary';
import type { Redactor } from '@stepfork/redact';
import { displayText, isStepforkError } from '@stepfork/trace-format';
import { queueMicrotask } from '../delivery/clock.js';
import { Gate } from '../delivery/gate.js';
import { isAbort, type LogEntry } from '../delivery/recorded-log.js';
import { RecordedTime } from '../delivery/recorded-time.js';
import { findFunction, findMatch } from '../match/find-match.js';
import { type Match, Matcher } from '../match/matcher.js';
import type { PendingCall, Ruling } from '../mode/mode.js';
import { rule, ruleBefore } from '../mode/rule.js';
import type { ReplaySettings } from '../options.js';
import { identityOf } from '../plan/key.js';
import type { Ambiguity, LogPoint, PlannedCall } from '../plan/planned-call.js';
import { labelOf, viewOf } from '../report/call-view.js';
import type { Divergence } from '../report.js';
import { abortedHere, lacksAbort, notAborted } from './abort.js';
import { answerForm } from './answer-form.js';
import { missing, neverCame, refused, reordered, unmatched } from './diverge.js';
import { type HeldAnswer, HeldAnswers } from './held-answers.js';
import { type DescribeLive, describingLive, type LiveCall } from './live-call.js';
import { objectionTo, obstacleToReal } from './objection.js';
import { Observations } from './observations.js';
import { type Enter, RealCalls } from './real-calls.js';
import { afterDivergence, afterTheEnd, atDivergence, refuseBy, throwingFrom } from './refusal.js';
import type { ReplayedCall } from './replayed-call.js';
import { type Reply, returning } from './reply.js';
import { type Answer, reviveOutcome } from './revive.js';
import type { StreamContent } from './streams/stream-content.js';
import { Streams } from './streams/streams.js';
import type { Recording, Surroundings } from './surroundings.js';

/** Refused calls that are kept for the report: an agent may try again for as long as the replay lasts. */
const MOST_REFUSED = 1_000;

/** The calls of one replay: what came, what answers it and when, and where it stopped being the recording. */
export class Conversation {
  readonly gate: Gate;
  readonly time = new RecordedTime();
  readonly seen = new Observations();
  /** In the order in which they came. */
  readonly calls: ReplayedCall[] = [];
  readonly #takenBy = new Map<PlannedCall, ReplayedCall>();
  readonly #recording: Recording;
  readonly #settings: ReplaySettings;
  readonly #redactor: Redactor;
  readonly #around: Surroundings;
  readonly #matcher: Matcher;
  readonly #held = new HeldAnswers();
  readonly #streams: Streams;
  readonly #real: RealCalls;
  readonly #describe: DescribeLive;
  #divergence: Divergence | null = null;
  #refused = 0;

  constructor(recording: Recording, settings: ReplaySettings, redactor: Redactor, around: Surroundings) {
    this.#recording = recording;
    this.#settings = settings;
    this.#redactor = redactor;
    this.#around = around;
    this.#matcher = new Matcher(recording.calls);
    this.gate = new Gate(recording.calls, settings.order === 'any' ? 'any' : 'recorded');
    this.#describe = describingLive(redactor, (event) =>
      identityOf(event, recording.volatility, (pattern, count) => this.seen.ignore(pattern, count)),
    );
    this.#real = new RealCalls({
      ...{ gate: this.gate, matcher: this.#matcher, redactor },
      ended: (call) => this.#passReal(call),
    });
    this.#streams = new Streams({
      gate: this.gate,
      redactor,
      asked: (entry) => this.#ask(entry),
      passed: (entry) => this.#pass(entry),
      early: (live, recorded) => this.seen.add('early', live, recorded),
      note: (text) => this.seen.note(text),
      diverge: (divergence) => {
        this.#diverge(divergence);
        return atDivergence(divergence);
      },
      refusal: (live) => (this.#divergence === null ? null : afterDivergence(live, this.#divergence)),
    });
  }

  /** The first one; it sticks. */
  get divergence(): Divergence | null {
    return this.#divergence;
  }

  /** Whether every call that the recording expects has come. */
  get isComplete(): boolean {
    return this.#matcher.nextExpected() === null;
  }

  /** How many calls the recording expects of this replay. */
  get expected(): number {
    return this.#matcher.expected;
  }

  /** Whether the body of a call really runs. */
  get isRunningCalls(): boolean {
    return this.#real.going > 0;
  }

  /** Whether the agent waits for something that comes when its place in the recording does. */
  get isHolding(): boolean {
    return this.gate.isHolding || this.#streams.isAnyPastCancellation;
  }

  /** What the agent waits for, for a person. */
  get waitedFor(): readonly string[] {
    return [...this.#held.entries.map(nameWaited), ...this.#streams.waitedFor];
  }

  /**
   * @param frame the recorded call whose body made this one, or null for the agent itself
   * @param enter runs the body of a call, where it may really run
   */
  reply(call: BoundaryCall, frame: number | null, enter: Enter): Reply {
    const live = this.#describe(call, this.calls.length + 1);
    if (this.#divergence !== null) return this.#refuse(call, live, afterDivergence(live, this.#divergence));
    const { mode, order } = this.#settings;
    const before = ruleBefore(mode, live);
    if (before?.type === 'refused') return this.#divergeAt(call, live, refused('policy', live, null, before.reason));
    const isFree = before?.type === 'live' && before.input === 'whatever';
    const match = isFree
      ? findFunction(this.#matcher, order, frame, live)
      : findMatch(this.#matcher, order, frame, live);
    if (match !== null) return this.#answer(call, live, match, enter, before);
    if (this.#around.hasEnded()) return this.#refuseLate(call, live);
    return this.#divergeAt(call, live, unmatched(live, this.#matcher.untaken(), this.#settings.order));
  }

  /** Gives what is held to whoever waits for it. */
  deliver(entry: LogEntry): void {
    const given = this.#given(entry);
    if (this.lacksAbort(entry) && given !== undefined) {
      const divergence = notAborted(given);
      this.#held.refuse(entry.call, atDivergence(divergence));
      this.#diverge(divergence);
      return;
    }
    const note = entry.edge === 'end' && given !== undefined && !isAbort(entry) ? abortedHere(given) : null;
    if (note !== null && this.#divergence === null) this.seen.note(note);
    this.#pass(entry);
    if (entry.call.stream === null || entry.edge === 'open') this.#held.deliver(entry.call);
    else this.#streams.deliver(entry);
  }

  /** Whether it is the answer to an abort, and the agent has not aborted it. */
  lacksAbort(entry: LogEntry): boolean {
    // Where there is no order, it comes before the agent can have aborted anything; so it does after a divergence.
    return this.gate.isOrdered && lacksAbort(entry, this.#given(entry));
  }

  #given({ call }: LogEntry): ReplayedCall | undefined {
    return this.#takenBy.get(call);
  }

  /** Something is held, nothing moves, and the recording has this next, which is the agent's own to do. */
  unblock(next: LogEntry): void {
    if (next.edge === 'start') this.#divergeOutOfOrder(next.call);
    else this.#streams.unblock(next);
    this.#around.progressed();
  }

  /** Perhaps another call came in place of the one that does not come. */
  #divergeOutOfOrder(expected: PlannedCall): void {
    const instead = this.#held.entries.find(({ recorded }) => isAfter(recorded, expected));
    const waiting = this.gate.held[0]?.call ?? null;
    this.#diverge(
      instead === undefined ? neverCame(expected, waiting, this.calls.length + 1) : reordered(instead.live, expected),
    );
  }

  /** The run is over: recorded calls that did not come are a divergence. */
  divergeIfIncomplete(): void {
    const [first, ...others] = this.#matcher.untaken();
    if (first !== undefined) this.#diverge(missing([first, ...others], this.calls.length + 1));
    this.#streams.noteLeft();
  }

  #answer(call: BoundaryCall, live: LiveCall, match: Match, enter: Enter, before: Ruling | null): Reply {
    const recorded = match.call;
    const ambiguity = this.#ambiguityOf(recorded);
    const objection = objectionTo(recorded, live, call, ambiguity, this.#settings);
    if (objection !== null) return this.#divergeAt(call, live, objection);
    const describe = (): PendingCall => ({ ...viewOf(live, recorded.index), input: live.input });
    const ruling = before ?? rule(this.#settings.mode, live, describe);
    if (ruling.type === 'refused') return this.#divergeAt(call, live, refused('policy', live, recorded, ruling.reason));
    if (ruling.type === 'live') return this.#runReal(call, live, match, enter, ruling.input === 'whatever');
    return this.#giveRecorded(call, live, match, ambiguity);
  }

  #runReal(call: BoundaryCall, live: LiveCall, match: Match, enter: Enter, isFree: boolean): Reply {
    const obstacle = obstacleToReal(match.call, isFree);
    if (obstacle !== null) return this.#divergeAt(call, live, refused('unservable', live, match.call, obstacle));
    if (match.reparented) this.seen.add('reparented', live, match.call);
    const entry = this.#take(live, match, true);
    return this.#real.run(call, entry, match.call, enter);
  }

  #giveRecorded(call: BoundaryCall, live: LiveCall, match: Match, ambiguity: Ambiguity): Reply {
    const recorded = match.call;
    let answer: Answer;
    try {
      answer = reviveOutcome(recorded, call, this.#recording.blobs);
    } catch (error) {
      if (!isStepforkError(error, 'unservable')) throw error;
      return this.#divergeAt(call, live, refused('unservable', live, recorded, `cannot be answered: ${error.message}`));
    }
    const isValue = answerForm(call, recorded) === 'value';
    const obstacle = !isValue ? null : this.#obstacleToNow(live, recorded, answer);
    if (obstacle !== null) return this.#divergeAt(call, live, obstacle);
    if (isToldByOrder(ambiguity, recorded)) this.seen.add('ambiguous', live, recorded);
    if (match.reparented) this.seen.add('reparented', live, recorded);
    if ('lost' in answer) this.#noteLost(live, answer.lost);
    if (answer.type === 'streamed') return this.#giveStream(call, live, match, answer.content);
    return isValue ? this.#giveNow(call, live, match, answer) : this.#giveLater(live, match, answer);
  }

  #noteLost(live: LiveCall, lost: readonly string[]): void {
    if (lost.length === 0) return;
    const fields = lost.map(displayText).join(', ');
    this.seen.note(
      `${labelOf(live)} (call #${live.number}) threw its error without what could not be recorded: ${fields}`,
    );
  }

  /** A value is wanted at once: its outcome cannot wait for its place in the log. */
  #obstacleToNow(live: LiveCall, recorded: PlannedCall, answer: Answer): Divergence | null {
    if (answer.type === 'pending') {
      const reason = 'has no recorded outcome, and a function that answers at once cannot be left waiting';
      return refused('unservable', live, recorded, reason);
    }
    if (this.#settings.order === 'any' || this.#isDue(recorded)) return null;
    const expected = this.#matcher.nextExpected();
    const somethingGoesOn = this.isHolding || this.#around.isWaiting();
    if (!somethingGoesOn && expected !== null && expected !== recorded) return reordered(live, expected);
    // A stream is early where it is read early.
    if (answer.type !== 'streamed') this.seen.add('early', live, recorded);
    return null;
  }

  #giveNow(call: BoundaryCall, live: LiveCall, match: Match, answer: HeldAnswer): Reply {
    const entry = this.#take(live, match);
    const { end } = this.gate.of(match.call);
    if (end !== null) this.#pass(end);
    entry.status = answer.type === 'threw' ? 'error' : 'ok';
    if (answer.type === 'threw') return throwingFrom(call, answer.thrown);
    return returning(answer.type === 'returned' ? answer.value : undefined);
  }

  #giveLater(live: LiveCall, match: Match, answer: HeldAnswer): Reply {
    const entry = this.#take(live, match);
    this.#around.asked(match.call);
    return returning(this.#held.hold(match.call, entry, answer));
  }

  /** The stream itself is given at once, or its promise settles, as in the recording; what it gives comes later. */
  #giveStream(call: BoundaryCall, live: LiveCall, match: Match, content: StreamContent): Reply {
    const entry = this.#take(live, match);
    const stream = this.#streams.open(entry, match.call, content, call.answers === 'async-generator');
    const { open } = this.gate.of(match.call);
    if (answerForm(call, match.call) === 'promise') {
      this.#around.asked(match.call);
      if (open !== null) this.#ask(open);
      return returning(this.#held.hold(match.call, entry, { type: 'opened', stream }));
    }
    if (open !== null) this.#pass(open);
    return returning(stream);
  }

  #take(live: LiveCall, match: Match, isReal = false): ReplayedCall {
    const entry: ReplayedCall = { live, recorded: match.call, isReal, status: 'pending' };
    this.calls.push(entry);
    this.#takenBy.set(match.call, entry);
    this.#matcher.take(match);
    this.gate.start(match.call, isReal);
    this.#happened(match.call.start);
    return entry;
  }

  /** Its place in the log is behind us. */
  #pass(entry: LogEntry): void {
    const { call } = entry;
    this.gate.happened(entry);
    this.#around.answered(entry.chunk === null ? call : entry);
    if (entry.edge === 'end') {
      this.#matcher.answer(call);
      // Unsaved traces: what recurs of an outcome's secrets in a later input was redacted there.
      if (call.holdsSecrets && call.outcome !== null) this.#redactor.redactEvent(call.outcome.event);
    }
    this.#happened(entry);
  }

  /** A real call was answered. What comes of a real stream is between it and its consumer. */
  #passReal(call: PlannedCall): void {
    const { open, end } = this.gate.of(call);
    if (open !== null) this.#pass(open);
    if (end !== null) this.#pass(end);
    else this.#around.progressed();
  }

  #ask(entry: LogEntry): void {
    this.gate.ask(entry);
    if (entry.edge !== 'open') this.#around.asked(entry.chunk === null ? entry.call : entry);
    this.#around.wake();
    if (entry.isPrompt) queueMicrotask(() => this.#deliverPrompt());
  }

  #happened(point: LogPoint): void {
    this.time.reached(point.time);
    this.#around.reached(point);
    this.#around.progressed();
    if (this.gate.isOrdered) queueMicrotask(() => this.#deliverPrompt());
  }

  /**
   * What came in the same turn as what was before it in the log comes in the same turn here, too: parallel branches
   * whose functions answer at once go forward hand in hand.
   */
  #deliverPrompt(): void {
    const entry = this.gate.deliverable();
    // The agent's code may yet go on to the abort.
    if (entry?.isPrompt === true && this.gate.isOrdered && !this.lacksAbort(entry)) this.deliver(entry);
  }

  #isDue(recorded: PlannedCall): boolean {
    return this.gate.isDue(this.gate.of(recorded).start);
  }

  /**
   * Identical calls that did not overlap in the recording go by the order in which they start. That order is not
   * the recording's where they overlap here, or where a wait of the agent's brought this one and another wait may
   * yet bring its like.
   */
  #ambiguityOf(recorded: PlannedCall): Ambiguity {
    if (recorded.ambiguity !== 'apart') return recorded.ambiguity;
    if (this.gate.going.some((call) => isLike(call, recorded))) return 'order';
    const rival = this.#matcher.lastRival(recorded);
    const isByWait = this.#around.isSettled() || this.#around.isAfterWait();
    if (rival === null || !isByWait) return 'apart';
    return this.#around.waitsDueBefore(rival.start.time) || !this.#isDue(recorded) ? 'order' : 'apart';
  }

  #divergeAt(call: BoundaryCall, live: LiveCall, divergence: Divergence): Reply {
    this.#diverge(divergence);
    return this.#refuse(call, live, atDivergence(divergence));
  }

  /** The first one sticks. What is held is let go, so that the agent can finish. */
  #diverge(divergence: Divergence): void {
    this.#divergence ??= divergence;
    this.gate.open();
    this.#streams.giveUp();
    this.#around.progressed();
  }

  #refuseLate(call: BoundaryCall, live: LiveCall): Reply {
    const refusal = afterTheEnd(live);
    this.seen.note(refusal.message);
    return this.#refuse(call, live, refusal);
  }

  #refuse(call: BoundaryCall, live: LiveCall, refusal: Error): Reply {
    if (this.#refused++ < MOST_REFUSED) this.calls.push({ live, recorded: null, isReal: false, status: 'error' });
    return refuseBy(refusal, call, this.#recording.calls);
  }
}

function nameWaited({ live, recorded }: ReplayedCall): string {
  const reason = recorded?.outcome === null ? 'which has no recorded outcome' : 'whose outcome is held';
  return `${labelOf(live)} (call #${live.number}), ${reason}`;
}

/** Whether nothing but the order of its like tells that this is the call, which their redacted places may not bear out. */
function isToldByOrder(ambiguity: Ambiguity, { redacted }: PlannedCall): boolean {
  return ambiguity === 'order' || ambiguity === 'redaction' || (ambiguity === 'apart' && redacted);
}

function isLike(call: PlannedCall, other: PlannedCall): boolean {
  return call.fingerprint === other.fingerprint && call.frame === other.frame;
}

function isAfter(recorded: PlannedCall | null, expected: PlannedCall): boolean {
  return recorded !== null && recorded.start.position > expected.start.position;
}
