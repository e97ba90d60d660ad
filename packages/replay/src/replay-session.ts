import { StepforkError, type Trace } from '@stepfork/trace-format';
import { formatReport } from './format.js';
import type { ReplayOptions } from './options.js';
import { type Prepared, prepare } from './prepare.js';
import type { ReplayReport } from './report.js';

/** What a session may be told; its function is called without arguments, and once. */
export type SessionOptions = Omit<ReplayOptions, 'input' | 'repeat'>;

/**
 * A replay for tests that look at what the agent returned or threw, rather than at a report:
 *
 * ```ts
 * await using session = ReplaySession.fromTrace('failure.sftrace');
 * expect(await session.run(() => agent('ORD-1001'))).toEqual({ should_notify: true });
 * ```
 *
 * Leaving its scope checks the calls, as `verifyComplete()` does, unless the run threw; so it must have run.
 */
export class ReplaySession implements AsyncDisposable {
  readonly #prepared: Prepared;
  #state: 'new' | 'running' | 'over' = 'new';
  #report: ReplayReport | null = null;
  #needsCheck = true;

  private constructor(prepared: Prepared) {
    this.#prepared = prepared;
  }

  /**
   * @param source path of a bundle, or a trace
   * @throws StepforkError as `replay` rejects
   */
  static fromTrace(source: string | Trace, options: SessionOptions = {}): ReplaySession {
    return new ReplaySession(prepare(source, options));
  }

  /**
   * Runs `fn` against the recording. Resolves to what it returned and rejects with what it threw, a divergence that it
   * did not catch included.
   *
   * @throws StepforkError `session_used` for a second run, `replay_failed` for a run that did not end
   */
  async run<T>(fn: () => T): Promise<Awaited<T>> {
    if (this.#state !== 'new') {
      throw new StepforkError('session_used', 'a replay session runs once; make another with ReplaySession.fromTrace');
    }
    this.#state = 'running';
    const { outcome, report } = await this.#prepared.run(fn, []);
    this.#state = 'over';
    this.#report = report;
    switch (outcome.type) {
      case 'completed':
        return outcome.value as Awaited<T>;
      case 'threw':
        this.#needsCheck = false;
        throw outcome.thrown;
      case 'stalled':
        this.#needsCheck = false;
        throw failure(report);
    }
  }

  /**
   * The report of the run.
   *
   * @throws StepforkError `session_open` while it has not ended
   */
  get report(): ReplayReport {
    if (this.#report !== null) return this.#report;
    throw new StepforkError('session_open', 'the session has no report before its run is over; await session.run(…)');
  }

  /**
   * Checks that the run made the recorded calls, all of them and no others, whatever it came to and whether or not
   * the agent caught what a divergence threw.
   *
   * @throws StepforkError `replay_failed`, its message the report as text; `session_open` before the run is over
   */
  verifyComplete(): void {
    const { report } = this;
    this.#needsCheck = false;
    if (report.verdict === 'diverged') throw failure(report);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#needsCheck) this.verifyComplete();
  }
}

function failure(report: ReplayReport): StepforkError {
  return new StepforkError('replay_failed', formatReport(report), { details: { report } });
}
