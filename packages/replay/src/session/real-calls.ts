import { type BoundaryCall, observe, type StreamObserver, watchIfStream } from '@stepfork/recorder/boundary';
import type { Redactor } from '@stepfork/redact';
import { encodeValue, llmResponseEvent, toolResultEvent } from '@stepfork/trace-format';
import type { Gate } from '../delivery/gate.js';
import type { Matcher } from '../match/matcher.js';
import type { PlannedCall } from '../plan/planned-call.js';
import type { ReplayedCall } from './replayed-call.js';
import { type Reply, returning, throwing } from './reply.js';

/** Runs something in the context of a call's body, so that what it calls is known to be its. */
export type Enter = <T>(call: PlannedCall, body: () => T) => T;

/** What real calls ask of the replay that they are a part of. */
export interface Surroundings {
  readonly gate: Gate;
  readonly matcher: Matcher;
  readonly redactor: Redactor;
  /** The call has its answer: its place in the log is behind us. */
  readonly ended: (call: PlannedCall) => void;
}

/** Calls whose bodies really run. They count in the log when they really start and end. */
export class RealCalls {
  readonly #around: Surroundings;
  #going = 0;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** How many are going on. */
  get going(): number {
    return this.#going;
  }

  /** Runs the body of a call that is taken. What it calls is expected from now on. */
  run(call: BoundaryCall, entry: ReplayedCall, recorded: PlannedCall, enter: Enter): Reply {
    this.#around.matcher.reveal(recorded);
    this.#around.gate.reveal(recorded);
    this.#going++;
    const answered = (status: ReplayedCall['status']): void => {
      this.#going--;
      entry.status = status;
      this.#around.ended(recorded);
    };
    const inside = <T>(step: () => T): T => enter(recorded, step);
    const body = (): unknown =>
      observe(() => inside(call.invoke), {
        returned: (value) => {
          const watched = watchIfStream(
            value,
            new RealStream(inside, (status) => {
              entry.status = status;
            }),
          );
          answered(watched === null ? 'ok' : 'pending');
          if (watched !== null) return watched.stream;
          this.#learn(call, value);
          return value;
        },
        threw: () => answered('error'),
      });
    try {
      return returning(body());
    } catch (thrown) {
      return throwing(thrown);
    }
  }

  /** What is secret in a real answer is looked for in the inputs that follow, as a recorder did. */
  #learn({ kind, name }: BoundaryCall, value: unknown): void {
    const output = encodeValue(value).json;
    const event = kind === 'tool' ? toolResultEvent({ name, output }) : llmResponseEvent({ model: name, output });
    this.#around.redactor.redactEvent(event);
  }
}

/** Follows a real stream to its end. */
class RealStream implements StreamObserver {
  isDone = false;
  readonly inside: StreamObserver['inside'];
  readonly #end: (status: ReplayedCall['status']) => void;

  constructor(inside: StreamObserver['inside'], end: (status: ReplayedCall['status']) => void) {
    this.inside = inside;
    this.#end = end;
  }

  outside<T>(step: () => T): T {
    return step();
  }

  chunk(): void {}

  ended(): void {
    this.#over('ok');
  }

  failed(): void {
    this.#over('error');
  }

  cancelled(): void {
    this.#over('ok');
  }

  #over(status: ReplayedCall['status']): void {
    this.isDone = true;
    this.#end(status);
  }
}
