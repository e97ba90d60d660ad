import type { InnerRun } from '@stepfork/recorder/boundary';
import { completedWith, type RunOutcome, threwWith } from './run-outcome.js';

/**
 * The outermost `record` or `traceAgent` of the recorded agent that the entrypoint reaches: what it comes to is
 * what the recording says of the run. An entrypoint without one is the run itself.
 */
export class OwnRun {
  readonly #runId: string;
  readonly #agentName: string;
  #isFound = false;
  #outcome: RunOutcome | null = null;

  constructor(runId: string, agentName: string) {
    this.#runId = runId;
    this.#agentName = agentName;
  }

  /** A run begins inside the replay. The first one of the agent's name is it. */
  begin(agentName: string): InnerRun {
    const isOwn = agentName === this.#agentName && !this.#isFound;
    if (isOwn) this.#isFound = true;
    return {
      runId: this.#runId,
      settled: (end) => {
        if (!isOwn) return;
        this.#outcome = 'error' in end ? threwWith(end.error, end.taken) : completedWith(end.output, end.taken);
      },
    };
  }

  /** null where the entrypoint reached none, or it has not ended. */
  get outcome(): RunOutcome | null {
    return this.#outcome;
  }
}
