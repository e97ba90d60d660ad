import {
  type BoundaryCall,
  type BoundaryHandler,
  type Frame,
  HANDLER_VERSION,
  type InnerRun,
  slot,
  toRunInput,
} from '@stepfork/recorder/boundary';
import { createRedactor, type Redactor } from '@stepfork/redact';
import { encodeValue, runStartEvent } from '@stepfork/trace-format';
import { installClock } from '../clock/install.js';
import { RecordedReads } from '../clock/recorded-reads.js';
import { type Clock, createRunClock, type RunClock } from '../clock/run-clock.js';
import { Pump } from '../delivery/pump.js';
import { Waits } from '../delivery/waits.js';
import type { AllowList } from '../guard/allow-list.js';
import { type Guard, openGuard } from '../guard/guard.js';
import { observe } from '../observe/observe.js';
import { observedClock } from '../observe/observed-clock.js';
import { type Touch, Touches } from '../observe/touches.js';
import type { ReplaySettings } from '../options.js';
import type { ReplayPlan } from '../plan/plan.js';
import type { Divergence } from '../report.js';
import { readAnswer } from './answer-stream.js';
import { Candidate, type CandidateTarget } from './candidate.js';
import { Conversation } from './conversation.js';
import type { Observations } from './observations.js';
import { OwnRun } from './own-run.js';
import type { Enter } from './real-calls.js';
import type { ReplayedCall } from './replayed-call.js';
import { give, type Reply } from './reply.js';
import { completedWith, type RunOutcome, threwWith } from './run-outcome.js';

/** Everything a replay came to. */
export interface ReplayResult {
  readonly outcome: RunOutcome;
  readonly divergence: Divergence | null;
  /** In the order in which they came. */
  readonly calls: readonly ReplayedCall[];
  /** How many calls the recording expected. */
  readonly expected: number;
  readonly seen: Observations;
  /** What a stalled run was waiting for, for a person. */
  readonly waitingFor: readonly string[];
  /** What the run used that is not frozen; empty where nobody asked. */
  readonly touches: readonly Touch[];
  /** Knows what was secret in this run. */
  readonly redactor: Redactor;
}

/** One run of an entrypoint against a plan, and the handler that its boundaries find. Used once. */
export class ReplayRun implements BoundaryHandler {
  readonly version = HANDLER_VERSION;
  readonly mode = 'replay';
  /** What the agent's code sees as the time; null for the real one. */
  readonly clock: Clock | null;
  readonly #time: RunClock | null;
  readonly #plan: ReplayPlan;
  readonly #redactor: Redactor;
  readonly #conversation: Conversation;
  readonly #waits: Waits;
  readonly #pump: Pump;
  readonly #ownRun: OwnRun;
  readonly #target: CandidateTarget | null;
  #candidate: Candidate | null = null;
  /** What the entrypoint came to; null while it runs. */
  #entrypoint: RunOutcome | null = null;
  readonly #allow: AllowList | null;
  #uninstallClock: () => void = () => {};
  #guard: Guard | null = null;
  readonly #touches: Touches | null;
  #stopObserving: () => void = () => {};
  #isStuck = false;
  /** Who waits until the run has come to a position of the recorded log. */
  #waiting: readonly { readonly position: number; readonly resolve: () => void }[] = [];
  /** Of all recorded calls, with their kinds; null until somebody asks. */
  #names: ReadonlySet<string> | null = null;
  #active = false;
  #progress = 0;
  /** Place in the recorded log of what happened last. */
  #position = 0;
  #resolve: (result: ReplayResult) => void = () => {};
  #reject: (reason: unknown) => void = () => {};

  constructor(plan: ReplayPlan, settings: ReplaySettings) {
    this.#plan = plan;
    const reads = new RecordedReads(plan.run.reads);
    this.#time = createRunClock(settings.now, plan.run.began, {
      now: () => this.#waits.now(this.#nextRecordedTime()),
      read: (clock) => reads.next(clock, this.#position, this.#nextPosition()),
    });
    this.#target = settings.record;
    this.#allow = settings.allow;
    this.#touches = settings.observe ? new Touches() : null;
    this.clock = this.#time !== null && this.#touches !== null ? observedClock(this.#time, this.#touches) : this.#time;
    this.#redactor = createRedactor(plan.redaction);
    this.#ownRun = new OwnRun(plan.run.runId, plan.run.agentName);
    this.#conversation = new Conversation(plan, settings, this.#redactor, {
      isSettled: () => this.#pump.isSettled,
      isAfterWait: () => this.#waits.hasJustEnded(),
      isWaiting: () => this.#pump.isWaiting(),
      waitsDueBefore: (time) => this.#waits.areDueBefore(time),
      asked: (what) => this.#waits.asked(what),
      answered: (what) => this.#waits.answered(what),
      hasEnded: () => this.#entrypoint !== null || this.#ownRun.outcome !== null,
      reached: ({ position }) => {
        this.#position = Math.max(this.#position, position);
      },
      progressed: () => this.#progressed(),
      wake: () => this.#pump.wake(),
    });
    const { gate, time } = this.#conversation;
    this.#waits = new Waits(this, {
      time,
      next: () => gate.next()?.time ?? Number.POSITIVE_INFINITY,
      isOrdered: () => gate.isOrdered && !this.#conversation.isRunningCalls,
      onEnd: () => this.#pump.wake(),
    });
    this.#pump = new Pump(
      {
        gate,
        time,
        waits: this.#waits,
        duration: plan.run.duration,
        lacksAbort: (entry) => this.#conversation.lacksAbort(entry),
        deliver: (entry) => this.#conversation.deliver(entry),
        isOver: () => this.#isOver(),
        mayEndIdle: () => this.#mayEndIdle(),
        skipSleep: (until) => settings.skipSleeps && this.#skipSleep(until),
        isRunningCalls: () => this.#conversation.isRunningCalls,
        stuck: () => this.#stuck(),
        progressElsewhere: () => progressBeside(this),
        over: () => this.#end(),
        failed: (error) => this.#fail(error),
      },
      settings.noProgressMs,
    );
  }

  get active(): boolean {
    return this.#active;
  }

  expects(kind: 'tool' | 'llm', name: string): boolean {
    this.#names ??= new Set(this.#plan.calls.map((call) => `${call.kind}:${call.name}`));
    return this.#names.has(`${kind}:${name}`);
  }

  /** Grows with every recorded event that happens: other replays that wait see that something still moves. */
  get progress(): number {
    return this.#progress;
  }

  /** Runs the entrypoint. Resolves when it is over, whatever it came to; rejects only where the replay itself fails. */
  run(entrypoint: (...args: never[]) => unknown, args: readonly unknown[]): Promise<ReplayResult> {
    return new Promise((resolve, reject) => {
      if (this.#target !== null) this.#candidate = new Candidate(this.#plan, this.#target, args);
      this.#resolve = resolve;
      this.#reject = reject;
      // What is secret in the run's input is looked for in the calls' inputs; so did the recorder.
      this.#redactor.redactEvent(runStartEvent({ input: encodeValue(toRunInput(args)).json }));
      this.#active = true;
      slot().active.add(this);
      this.#waits.open();
      if (this.clock !== null) this.#uninstallClock = installClock();
      if (this.#allow !== null) this.#guard = this.#openGuard(this.#allow);
      if (this.#touches !== null) this.#stopObserving = observe(this, this.#touches);
      this.#pump.start();
      const frame: Frame = { handler: this, call: null, parent: null };
      slot().frames.run(frame, () => this.#enter(() => entrypoint(...(args as never[]))));
    });
  }

  innerRun(agentName: string): InnerRun {
    return { ...this.#ownRun.begin(agentName), ...this.#candidate?.told };
  }

  dispatch(call: BoundaryCall, frame: Frame): unknown {
    const candidate = this.#candidate;
    if (candidate === null) return give(this.#reply(call, frame));
    return candidate.dispatch(call, frame, () => this.#reply(call, frame));
  }

  #reply(call: BoundaryCall, frame: Frame): Reply {
    try {
      const enter: Enter = ({ index }, body) => {
        this.#candidate?.enters(index);
        return slot().frames.run({ handler: this, call: index, parent: frame }, body);
      };
      return this.#conversation.reply(call, typeof frame.call === 'number' ? frame.call : null, enter);
    } catch (error) {
      // The agent may swallow it; the replay must not.
      this.#fail(error);
      throw error;
    }
  }

  #enter(entrypoint: () => unknown): void {
    const settle = (outcome: RunOutcome): void => {
      this.#entrypoint = outcome;
      this.#pump.wake();
    };
    try {
      const threw = (thrown: unknown): void => settle(threwWith(thrown));
      Promise.resolve(entrypoint()).then((value) => {
        const reading = readAnswer(value, this.#plan.run.taken, (position) => this.#whenReached(position));
        if (reading === null) settle(completedWith(value));
        else reading.then(({ output, taken }) => settle(completedWith(output, taken)), threw);
      }, threw);
    } catch (thrown) {
      settle(threwWith(thrown));
    }
  }

  /** Waits until all has happened that the recording has before a position; null where it has. */
  #whenReached(position: number): Promise<void> | null {
    if (this.#isReached(position)) return null;
    return new Promise((resolve) => {
      this.#waiting = [...this.#waiting, { position, resolve }];
    });
  }

  #isReached(position: number): boolean {
    const { gate, divergence } = this.#conversation;
    if (divergence !== null || !gate.isOrdered) return true;
    return (gate.next()?.position ?? Number.POSITIVE_INFINITY) >= position;
  }

  /** @param isForced nothing moves: what they wait for will not come */
  #letGo(isForced = false): boolean {
    const waiting = this.#waiting;
    const freed = waiting.filter(({ position }) => isForced || this.#isReached(position));
    this.#waiting = waiting.filter((each) => !freed.includes(each));
    for (const { resolve } of freed) resolve();
    return freed.length > 0;
  }

  /** The bodies of calls that really run may reach the world. */
  #openGuard(allow: AllowList): Guard {
    const { seen } = this.#conversation;
    const guard = openGuard(this, {
      allow,
      permits: ({ call }) => call !== null,
      onBlocked: (attempt) => seen.block(attempt),
    });
    if (guard.unwatched.length > 0) seen.note(`the guard does not watch ${guard.unwatched.join(', ')} on this Node`);
    return guard;
  }

  /** Time goes on by what was not waited for. */
  #skipSleep(until: number): boolean {
    if (this.#conversation.isRunningCalls) return false;
    const due = this.#waits.skip(until);
    if (due === null) return false;
    this.#conversation.time.reached(due);
    return true;
  }

  /** A run that was let go is held back by nothing. */
  #nextRecordedTime(): number {
    const { gate, divergence } = this.#conversation;
    if (divergence !== null || !gate.isOrdered) return Number.POSITIVE_INFINITY;
    return gate.next()?.time ?? this.#plan.run.duration;
  }

  /** Where the recording has what has to happen next; nowhere for a run that has left it. */
  #nextPosition(): number {
    const { gate, divergence } = this.#conversation;
    if (divergence !== null || !gate.isOrdered) return 0;
    return gate.next()?.position ?? Number.POSITIVE_INFINITY;
  }

  #progressed(): void {
    this.#progress++;
    this.#letGo();
    this.#pump.progressed();
  }

  #isOver(): boolean {
    if (this.#isStuck) return true;
    const { divergence, isComplete } = this.#conversation;
    return this.#entrypoint !== null && (divergence !== null || isComplete);
  }

  /** Nothing that is still to come could come from where nobody looks, or nobody would wait for it. */
  #mayEndIdle(): boolean {
    const { isHolding, divergence, isComplete } = this.#conversation;
    if (isHolding || this.#entrypoint !== null || divergence !== null) return true;
    return this.#plan.run.status === 'running' && isComplete;
  }

  #stuck(): void {
    if (this.#letGo(true)) return;
    const { gate, divergence, isHolding } = this.#conversation;
    const next = gate.next();
    const mayGoOn = next !== null && (this.#entrypoint === null || next.edge !== 'start');
    if (isHolding && divergence === null && mayGoOn) this.#conversation.unblock(next);
    else this.#isStuck = true;
  }

  #end(): void {
    const waitingFor = this.#entrypoint === null ? this.#whatItWaitsFor() : [];
    const outcome: RunOutcome =
      this.#entrypoint === null ? { type: 'stalled' } : (this.#ownRun.outcome ?? this.#entrypoint);
    this.#close();
    this.#candidate?.end(outcome);
    this.#conversation.divergeIfIncomplete();
    const { divergence, calls, expected, seen } = this.#conversation;
    this.#resolve({
      outcome,
      divergence,
      calls,
      expected,
      seen,
      waitingFor,
      touches: this.#touches?.list ?? [],
      redactor: this.#redactor,
    });
  }

  /** Something of ours broke: there is no report to give. */
  #fail(error: unknown): void {
    this.#close();
    this.#reject(error);
  }

  #close(): void {
    this.#active = false;
    slot().active.delete(this);
    this.#waits.close();
    this.#uninstallClock();
    this.#guard?.close();
    this.#stopObserving();
    this.#pump.stop();
  }

  #whatItWaitsFor(): readonly string[] {
    const calls = this.#conversation.waitedFor;
    const waits = this.#waits.describe();
    return waits === '' ? calls : [...calls, `the agent's own waits (${waits})`];
  }
}

/** Progress of the other active replays, of whatever copy of this package; null where there is none. */
function progressBeside(self: BoundaryHandler): number | null {
  let progress: number | null = null;
  for (const handler of slot().active) {
    if (handler === self || handler.mode !== 'replay') continue;
    progress = (progress ?? 0) + ((handler as Partial<ReplayRun>).progress ?? 0);
  }
  return progress;
}
