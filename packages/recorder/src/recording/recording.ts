import { createRedactor } from '@stepfork/redact';
import {
  type ClockRead,
  type EncodedValue,
  encodeValue,
  type Failure,
  formatTimestamp,
  isStepforkError,
  isThere,
  type LogPointFields,
  type Manifest,
  newRunId,
  openBundle,
  type StepforkError,
  type Totals,
} from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import {
  type BoundaryCall,
  type BoundaryHandler,
  type Frame,
  HANDLER_VERSION,
  type InnerRun,
  type StreamTaken,
} from '../boundary/handler.js';
import { type Answered, type Expected, type Outcome, observe } from '../boundary/observe.js';
import { slot } from '../boundary/slot.js';
import { describeThrown, type Thrown } from '../boundary/thrown.js';
import { isKept } from '../choices.js';
import { elapsedMs, nowMs, setImmediate } from '../clock.js';
import { recorderFailure, reportFailure, truncation } from '../failure.js';
import type { LlmCall, LlmCallRequest } from '../llm-call.js';
import type { Agent, FinishedRun } from '../options.js';
import { answerEvent, callEvent, readUsage } from './call-events.js';
import { type MadeCall, noteAnswer, noteChanges } from './call-notes.js';
import { recordThrown } from './call-thrown.js';
import { captureResult } from './capture.js';
import { KeptReads } from './clock/kept-reads.js';
import { recordError } from './error-event.js';
import { EventLog } from './event-log.js';
import { toSetLimits } from './limits.js';
import { beginManualCall } from './manual-call.js';
import { noteTaken } from './note-taken.js';
import { defaultOutputPath } from './output-path.js';
import { type OpenRun, unwatchProcessEnd, watchProcessEnd } from './process-end.js';
import { environment, runtimeHeader } from './provenance.js';
import { type SignalledRun, unwatchSignals, watchSignals } from './signals.js';
import { Soon } from './soon.js';
import { OpenStreams } from './stream/open-streams.js';
import type { StreamedCall } from './stream/stream-recorder.js';
import { refusalToLose } from './strict.js';
import { usageOf } from './usage.js';

const NO_TOTALS: Totals = { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null };

/** A call that is about to be made. */
interface Begun {
  readonly body: () => unknown;
  readonly outcome: Outcome;
  readonly expected: Expected;
}

/** Of a call that is not made. */
const UNTOLD: Outcome = { returned: (value) => value, threw: () => {} };

/** One run being recorded: the handler that its boundaries find, and the keeper of its bundle. */
export class Recording implements BoundaryHandler, OpenRun, SignalledRun {
  readonly version = HANDLER_VERSION;
  readonly mode = 'record';
  readonly runId = newRunId();
  /** The frame in which the agent itself runs. */
  readonly frame: Frame = { handler: this, call: null, parent: null };
  readonly #agent: Agent;
  readonly #named: Named;
  readonly #startedAt = nowMs();
  readonly #runStart: string | null;
  readonly #isStrict: boolean;
  readonly #reads: KeptReads | null;
  /** Ids of the calls that have no outcome yet. */
  readonly #openCalls = new Set<string>();
  /** Null once nothing more is written: the run is over, or the recorder failed. */
  #log: EventLog | null;
  readonly #soon = new Soon<EventLog>((write) => this.#write(write));
  readonly #streams = new OpenStreams(
    (write) => this.#write(write),
    (write) => this.#soon.add(write),
    (streamed) => this.#streamed(streamed),
  );
  #active = true;
  /** Ends the run as it is; null while the agent has not answered. */
  #leave: (() => void) | null = null;

  /**
   * Opens the bundle and starts the run.
   *
   * @throws StepforkError `output_busy`, `output_exists`, `not_a_bundle`; else what keeps the bundle from being made
   */
  constructor(agent: Agent, input: unknown) {
    this.#agent = agent;
    this.#named = { kind: 'agent', name: agent.name };
    const {
      output,
      overwrite = false,
      redact,
      tags = {},
      limits,
      onUnserializable,
      handleSignals,
      clock,
    } = agent.options;
    this.#isStrict = onUnserializable === 'throw';
    const redactor = createRedactor(redact);
    const sealed = redactor.redactManifest({ ...this.#manifest('running', null), totals: NO_TOTALS });
    const writer = openBundle({
      // The name as the bundle says it: a credential in the agent's own must not stand in a path either.
      path: output ?? defaultOutputPath(sealed.manifest.agent_name, this.runId),
      overwrite,
      manifest: sealed,
      // A redactor of its own: what this one has seen must be what a replay's will see, the events.
      runtime: runtimeHeader(this.#startedAt, { tags, keepsClock: clock === true }, createRedactor(redact)),
    });
    this.#reads = clock === true ? new KeptReads() : null;
    this.#log = new EventLog(this.runId, writer, redactor, toSetLimits(limits), this.#reads, (reason, path) =>
      reportFailure(agent.name, truncation(agent.name, reason, path), agent.options.onError),
    );
    const start = this.#write((log) =>
      log.record(this.#named, null, (base, keep) => ({
        ...base,
        type: 'run_start',
        input: keep('input', encodeValue(input)),
      })),
    );
    this.#runStart = start?.id ?? null;
    slot().active.add(this);
    watchProcessEnd(this);
    if (handleSignals === true) watchSignals(this);
  }

  get active(): boolean {
    return this.#active;
  }

  /** The agent read the clock. */
  clockRead(read: ClockRead): void {
    this.#reads?.keep(read);
  }

  /** Records a call: that it was made, before its body runs, and what came of it, before its caller goes on. */
  dispatch(call: BoundaryCall, frame: Frame): unknown {
    const begun = this.#begin(call, frame);
    return begun === null ? call.invoke() : observe(begun.body, begun.outcome, begun.expected);
  }

  /** Null where the call is not recorded. Apart from what goes on below it, so that a recursion goes deep. */
  #begin(call: BoundaryCall, frame: Frame): Begun | null {
    const input = this.#write((log) => (log.admits() ? encodeValue(call.input) : null));
    if (input === null) return null;
    const refusal = this.#isStrict ? refusalToLose(call, 'input', input) : null;
    if (refusal !== null) return { body: () => refuse(call, refusal), outcome: UNTOLD, expected: {} };
    const made = this.#write((log) => this.#made(log, call, frame, input));
    if (made === null) return null;
    const inside: Frame = { handler: this, call: made.id, parent: frame };
    const { frames } = slot();
    return {
      body: frames.run.bind(frames, inside, call.invoke) as () => unknown,
      outcome: {
        returned: (value, answered) => this.#returned({ call, made, answered, inside }, value),
        threw: (thrown, answered) => this.#threw(call, made, thrown, answered),
      },
      // An async function has made its promise itself, and nobody else has had it.
      expected: { belongs: call.answers === 'promise' ? 'own' : 'shared', mayDiffer: this.#isStrict },
    };
  }

  /** A request to a model that the agent tells of by hand. */
  llmCall(request: LlmCallRequest): LlmCall {
    return beginManualCall(request, this.#parentHere(), (writing) => this.#write(writing));
  }

  /** A run inside this run is a part of it: that is what its replay will see. */
  innerRun(): InnerRun {
    return {
      runId: this.runId,
      settled: () => {},
      stateChange: (key, before, after) => this.stateChange(key, before, after),
      error: (thrown) => this.error(thrown),
      llmCall: (request) => this.llmCall(request),
    };
  }

  stateChange(key: string, before: unknown, after: unknown): void {
    this.#write(
      (log) =>
        log.admits() &&
        log.record(this.#named, this.#parentHere(), (base, keep) => ({
          ...base,
          type: 'state_change',
          key,
          before: keep('before', encodeValue(before)),
          after: keep('after', encodeValue(after)),
        })),
    );
  }

  /** An error that the agent dealt with itself. */
  error(thrown: unknown): void {
    this.#write(
      (log) => log.admits() && recordError(log, this.#named, this.#parentHere(), describeThrown(thrown), thrown),
    );
  }

  point(): LogPointFields | null {
    return this.#write((log) => log.point());
  }

  /** @param taken where the agent answered with a stream: how much of it was read */
  completed(output: unknown, taken?: StreamTaken): void {
    this.#end({ status: 'completed', output, error: undefined }, (log) => {
      if (taken !== undefined) noteTaken(log, taken);
      log.record(this.#named, null, (base, keep) => ({
        ...base,
        type: 'run_end',
        duration_ms: elapsedMs(this.#startedAt),
        run_status: 'completed',
        output: keep('output', encodeValue(output)),
      }));
      log.finish(this.#manifest('completed', null), elapsedMs(this.#startedAt));
    });
  }

  threw(thrown: unknown, taken?: StreamTaken): void {
    this.#failed(describeThrown(thrown), thrown, taken);
  }

  /** The agent has answered, with a stream. `leave` ends the run though that is not over. */
  streams(leave: () => void): void {
    this.#leave = leave;
  }

  endWithProcess(exitCode: number, uncaught: { readonly error: unknown } | null): void {
    if (uncaught !== null) {
      this.threw(uncaught.error);
      return;
    }
    if (exitCode === 0 && this.#leave !== null) {
      this.#leave();
      return;
    }
    const message = `the process ended with exit code ${exitCode} before the run did`;
    this.#failed({ type: 'ProcessExit', message }, null);
  }

  endWithSignal(signal: NodeJS.Signals): void {
    this.#failed({ type: 'ProcessSignal', message: `the process was ended by ${signal} before the run did` }, null);
  }

  #made(log: EventLog, call: BoundaryCall, frame: Frame, input: EncodedValue): MadeCall {
    const made = log.record(call, this.#parentIn(frame), (base, keep) => callEvent(call, base, keep('input', input)));
    if (frame.adopted) log.note({ type: 'adopted', call_id: made.id });
    const isLeftBehind = typeof frame.call === 'string' && !this.#openCalls.has(frame.call);
    if (isLeftBehind) log.note({ type: 'detached', call_id: made.id });
    this.#openCalls.add(made.id);
    return { ...made, input: input.json };
  }

  /** Gives what the caller is to be given. */
  #returned(answer: StreamedCall, value: unknown): unknown {
    if (this.#log === null) return value;
    const stream = this.#streams.answer(answer, value);
    if (stream !== null) return stream;
    const { call, made, answered } = answer;
    this.#openCalls.delete(made.id);
    const output = this.#write(() => captureResult(value, call.codec));
    if (output === null) return value;
    const refusal = this.#isStrict ? refusalToLose(call, 'output', output) : null;
    if (refusal !== null) throw refusal;
    this.#write((log) => {
      const ended = log.record(call, made.id, (base, keep) =>
        answerEvent(call, base, elapsedMs(made.atMs), keep('output', output), () => readUsage(call, value, usageOf)),
      );
      noteAnswer(log, made, ended, answered);
      noteChanges(log, call, made);
    });
    return value;
  }

  /** A stream that answered a call is over, and with it the call's body. */
  #streamed({ call, made }: StreamedCall): void {
    this.#openCalls.delete(made.id);
    this.#write((log) => noteChanges(log, call, made));
  }

  #threw(call: BoundaryCall, made: MadeCall, thrown: unknown, answered: Answered): void {
    this.#openCalls.delete(made.id);
    this.#write((log) => {
      noteAnswer(log, made, recordThrown(log, call, made, thrown), answered);
      noteChanges(log, call, made);
    });
  }

  #failed(thrown: Thrown, details: unknown, taken?: StreamTaken): void {
    this.#end({ status: 'failed', output: undefined, error: details ?? undefined }, (log) => {
      if (taken !== undefined) noteTaken(log, taken);
      const { step } = recordError(log, this.#named, this.#runStart, thrown, details);
      log.record(this.#named, null, (base) => ({
        ...base,
        type: 'run_end',
        duration_ms: elapsedMs(this.#startedAt),
        run_status: 'failed',
        output: null,
      }));
      const failure = { type: thrown.type, message: thrown.message, step };
      log.finish(this.#manifest('failed', failure), elapsedMs(this.#startedAt));
    });
  }

  /** The run is over, whatever comes of writing that down. */
  #end(outcome: Pick<FinishedRun, 'status' | 'output' | 'error'>, write: (log: EventLog) => void): void {
    this.#active = false;
    slot().active.delete(this);
    unwatchProcessEnd(this);
    unwatchSignals(this);
    this.#reads?.stop();
    this.#write((log) => this.#streams.end(log));
    const kept = this.#log === null || isKept(this.#agent, { runId: this.runId, ...outcome });
    this.#write(kept ? write : (log) => log.abandon());
    this.#log = null;
  }

  /** Every write goes through here: whatever fails in the recorder stays in it, and is the last that it does. */
  #write<T>(write: (log: EventLog) => T): T | null {
    const log = this.#log;
    if (log === null) return null;
    try {
      this.#soon.settle(log);
      return write(log);
    } catch (cause) {
      this.#log = null;
      try {
        this.#giveUp(log, cause);
      } catch {
        // Deep in a recursion of the agent's, where nothing more can be called: once it is out of that.
        setImmediate(() => this.#giveUp(log, cause));
      }
      return null;
    }
  }

  #giveUp(log: EventLog, cause: unknown): void {
    const code = isStepforkError(cause) ? cause.code : 'internal';
    const path = log.breakOff(this.#manifest('running', null), code);
    const left = isThere(path) ? `what there is of it is in ${path}` : `nothing of it is left, as ${path} is gone`;
    const consequence = `the recording of agent '${this.#agent.name}' broke off; ${left}`;
    reportFailure(this.#agent.name, recorderFailure(cause, consequence), this.#agent.options.onError);
  }

  #manifest(status: Manifest['status'], failure: Failure | null): Omit<Manifest, 'totals'> {
    return {
      format: 'stepfork',
      schema_version: '0.1',
      run_id: this.runId,
      agent_name: this.#agent.name,
      created_at: formatTimestamp(this.#startedAt),
      status,
      failure,
      environment: environment(),
    };
  }

  #parentIn(frame: Frame): string | null {
    return typeof frame.call === 'string' ? frame.call : this.#runStart;
  }

  /** The innermost call of this run whose body is running. */
  #parentHere(): string | null {
    const frame = slot().frames.getStore();
    return frame?.handler === this ? this.#parentIn(frame) : this.#runStart;
  }
}

/** A call that must not be made, as its function would say so. */
function refuse(call: BoundaryCall, refusal: StepforkError): Promise<never> {
  if (call.answers === 'promise') return Promise.reject(refusal);
  throw refusal;
}
