import { createRedactor } from '@stepfork/redact';
import {
  encodeValue,
  type Failure,
  formatTimestamp,
  type Manifest,
  newRunId,
  openBundle,
  type Totals,
} from '@stepfork/trace-format/write';
import type { Named } from '../boundary/describe.js';
import {
  type BoundaryCall,
  type BoundaryHandler,
  type Frame,
  HANDLER_VERSION,
  type InnerRun,
} from '../boundary/handler.js';
import { type Answered, observe } from '../boundary/observe.js';
import { slot } from '../boundary/slot.js';
import { describeThrown, type Thrown } from '../boundary/thrown.js';
import { elapsedMs, nowMs } from '../clock.js';
import { recorderFailure, reportFailure } from '../failure.js';
import type { Agent } from '../options.js';
import { answerEvent, callEvent, readUsage } from './call-events.js';
import { recordError, recordThrown } from './call-thrown.js';
import { captureResult } from './capture.js';
import { EventLog, type Written } from './event-log.js';
import { defaultOutputPath } from './output-path.js';
import { type OpenRun, unwatchProcessEnd, watchProcessEnd } from './process-end.js';
import { environment, runtimeHeader } from './provenance.js';
import { OpenStreams } from './stream/open-streams.js';
import type { StreamedCall } from './stream/stream-recorder.js';
import { usageOf } from './usage.js';

const NO_TOTALS: Totals = { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null };

/** One run being recorded: the handler that its boundaries find, and the keeper of its bundle. */
export class Recording implements BoundaryHandler, OpenRun {
  readonly version = HANDLER_VERSION;
  readonly mode = 'record';
  readonly runId = newRunId();
  /** The frame in which the agent itself runs. */
  readonly frame: Frame = { handler: this, call: null, parent: null };
  readonly #agent: Agent;
  readonly #named: Named;
  readonly #startedAt = nowMs();
  readonly #runStart: string | null;
  /** Null once nothing more is written: the run is over, or the recorder failed. */
  #log: EventLog | null;
  readonly #streams = new OpenStreams((write) => this.#write(write));
  #active = true;

  /**
   * Opens the bundle and starts the run.
   *
   * @throws StepforkError `output_busy`, `output_exists`, `not_a_bundle`; else what keeps the bundle from being made
   */
  constructor(agent: Agent, input: unknown) {
    this.#agent = agent;
    this.#named = { kind: 'agent', name: agent.name };
    const { output, overwrite = false, redact, tags = {} } = agent.options;
    const redactor = createRedactor(redact);
    const sealed = redactor.redactManifest({ ...this.#manifest('running', null), totals: NO_TOTALS });
    const writer = openBundle({
      // The name as the bundle says it: a credential in the agent's own must not stand in a path either.
      path: output ?? defaultOutputPath(sealed.manifest.agent_name, this.runId),
      overwrite,
      manifest: sealed,
      // A redactor of its own: what this one has seen must be what a replay's will see, the events.
      runtime: runtimeHeader(this.#startedAt, tags, createRedactor(redact)),
    });
    this.#log = new EventLog(this.runId, writer, redactor);
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
  }

  get active(): boolean {
    return this.#active;
  }

  /** Records a call: that it was made, before its body runs, and what came of it, before its caller goes on. */
  dispatch(call: BoundaryCall, frame: Frame): unknown {
    const made = this.#write((log) =>
      log.record(call, this.#parentIn(frame), (base, keep) =>
        callEvent(call, base, keep('input', encodeValue(call.input))),
      ),
    );
    if (made === null) return call.invoke();
    if (frame.adopted) this.#write((log) => log.note({ type: 'adopted', call_id: made.id }));
    const inside: Frame = { handler: this, call: made.id, parent: frame };
    return observe(() => slot().frames.run(inside, call.invoke), {
      returned: (value, answered) => this.#returned({ call, made, answered, inside }, value),
      threw: (thrown, answered) => this.#threw(call, made, thrown, answered),
    });
  }

  /** A run inside this run is a part of it: that is what its replay will see. */
  innerRun(): InnerRun {
    return {
      runId: this.runId,
      settled: () => {},
      stateChange: (key, before, after) => this.stateChange(key, before, after),
      error: (thrown) => this.error(thrown),
    };
  }

  stateChange(key: string, before: unknown, after: unknown): void {
    this.#write((log) =>
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
    this.#write((log) => recordError(log, this.#named, this.#parentHere(), describeThrown(thrown), thrown));
  }

  completed(output: unknown): void {
    this.#end((log) => {
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

  threw(thrown: unknown): void {
    this.#failed(describeThrown(thrown), thrown);
  }

  endWithProcess(exitCode: number, uncaught: { readonly error: unknown } | null): void {
    if (uncaught !== null) {
      this.threw(uncaught.error);
      return;
    }
    const message = `the process ended with exit code ${exitCode} before the run did`;
    this.#failed({ type: 'ProcessExit', message }, null);
  }

  /** Gives what the caller is to be given. */
  #returned(answer: StreamedCall, value: unknown): unknown {
    if (this.#log === null) return value;
    const stream = this.#streams.answer(answer, value);
    if (stream !== null) return stream;
    const { call, made, answered } = answer;
    this.#write((log) => {
      const ended = log.record(call, made.id, (base, keep) => {
        const output = keep('output', captureResult(value, call.codec));
        return answerEvent(call, base, elapsedMs(made.atMs), output, () => readUsage(call, value, usageOf));
      });
      noteAnswer(log, made, ended, answered);
    });
    return value;
  }

  #threw(call: BoundaryCall, made: Written, thrown: unknown, answered: Answered): void {
    this.#write((log) => noteAnswer(log, made, recordThrown(log, call, made, thrown), answered));
  }

  #failed(thrown: Thrown, details: unknown): void {
    this.#end((log) => {
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
  #end(write: (log: EventLog) => void): void {
    this.#active = false;
    slot().active.delete(this);
    unwatchProcessEnd(this);
    this.#write((log) => this.#streams.end(log));
    this.#write(write);
    this.#log = null;
  }

  /** Every write goes through here: whatever fails in the recorder stays in it, and is the last that it does. */
  #write<T>(write: (log: EventLog) => T): T | null {
    const log = this.#log;
    if (log === null) return null;
    try {
      return write(log);
    } catch (cause) {
      this.#giveUp(log, cause);
      return null;
    }
  }

  #giveUp(log: EventLog, cause: unknown): void {
    this.#log = null;
    const path = log.breakOff(this.#manifest('running', null));
    const consequence = `the recording of agent '${this.#agent.name}' broke off; what there is of it is in ${path}`;
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

/** Tells apart what looks alike in the events: a value, and a promise of it, settled at once or later. */
function noteAnswer(log: EventLog, made: Written, ended: Written, answered: Answered): void {
  if (answered === 'promise') log.note({ type: 'call', call_id: made.id, answered, turns: [made.turn, ended.turn] });
}
