import {
  type BoundaryCall,
  type Frame,
  type InnerRun,
  openCandidate,
  type Recording,
  slot,
  toRunInput,
} from '@stepfork/recorder/boundary';
import type { ReplayPlan } from '../plan/plan.js';
import { give, type Reply } from './reply.js';
import type { RunOutcome } from './run-outcome.js';

/** Where the replayed run is to be recorded. */
export interface CandidateTarget {
  readonly path: string;
  readonly overwrite: boolean;
}

/** What tells whoever reads the candidate which recording it is a replay of. */
const TAG = 'replay_of';

/** The replayed run, recorded as a bundle of its own by the very recorder that records live runs. */
export class Candidate {
  readonly #recording: Recording;
  /** By recorded call: the frame of its body, in the candidate. */
  readonly #bodies = new Map<unknown, Frame>();

  /** @throws StepforkError `output_exists`, `output_busy`, `not_a_bundle`, or what keeps the bundle from being made */
  constructor({ run, redaction }: ReplayPlan, { path, overwrite }: CandidateTarget, args: readonly unknown[]) {
    const options = { output: path, overwrite, redact: redaction, tags: { [TAG]: run.runId } };
    this.#recording = openCandidate(run.agentName, options, toRunInput(args));
  }

  /** Records a call and what the replay answers it with. */
  dispatch(call: BoundaryCall, frame: Frame, reply: () => Reply): unknown {
    const around = this.#bodies.get(frame.call) ?? this.#recording.frame;
    return this.#recording.dispatch({ ...call, invoke: () => give(reply()) }, around);
  }

  /** The body of a recorded call is about to run for real: what it calls is its. Called where that call is answered. */
  enters(call: number): void {
    const frame = slot().frames.getStore();
    if (frame?.handler === this.#recording) this.#bodies.set(call, frame);
  }

  /** What a session inside the replayed run tells. */
  get told(): Omit<InnerRun, 'runId' | 'settled'> {
    const { stateChange, error, llmCall } = this.#recording.innerRun();
    return {
      ...(stateChange === undefined ? {} : { stateChange }),
      ...(error === undefined ? {} : { error }),
      ...(llmCall === undefined ? {} : { llmCall }),
    };
  }

  end(outcome: RunOutcome): void {
    switch (outcome.type) {
      case 'completed':
        this.#recording.completed(outcome.value, outcome.taken);
        return;
      case 'threw':
        this.#recording.threw(outcome.thrown, outcome.taken);
        return;
      case 'stalled':
        this.#recording.threw(Object.assign(new Error('the replayed run did not end'), { name: 'Stalled' }));
    }
  }
}
