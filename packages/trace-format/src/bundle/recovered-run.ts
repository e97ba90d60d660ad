import type { ErrorEvent, RunEndEvent, TraceEvent } from '../event.js';
import { countEvent, type Failure, type Manifest, NO_TOTALS, type Totals } from '../manifest.js';
import type { RedactionEntry } from './documents.js';

/** Reason given for redactions whose own reason died with the process. */
const REASON = 'recovered';

/** What a leftover's events tell about its run. */
export class RecoveredRun {
  #totals: Totals = NO_TOTALS;
  #end: RunEndEvent | null = null;
  #lastError: ErrorEvent | null = null;
  readonly #redactions: RedactionEntry[] = [];

  add(event: TraceEvent): void {
    this.#totals = countEvent(this.#totals, event);
    if (event.type === 'run_end') this.#end = event;
    if (event.type === 'error') this.#lastError = event;
    for (const path of event.redactions) {
      this.#redactions.push({ event_id: event.id, path, reason: REASON, replacement: '[REDACTED]' });
    }
  }

  /** What was redacted, as far as the events themselves say. */
  get redactions(): readonly RedactionEntry[] {
    return this.#redactions;
  }

  /**
   * The manifest with counts set right. A run whose end was recorded has that end's status; how any other would
   * have ended is not known, so that it stays `running`.
   */
  complete(manifest: Manifest): Manifest {
    const { events, llm_calls, tool_calls } = this.#totals;
    const totals = { ...manifest.totals, events, llm_calls, tool_calls };
    const end = this.#end;
    if (manifest.status !== 'running' || end === null) return { ...manifest, totals };
    const failure = end.run_status === 'failed' ? this.#failure() : null;
    const status = end.run_status === 'failed' && failure === null ? 'running' : end.run_status;
    return { ...manifest, status, failure, totals: { ...totals, duration_ms: end.duration_ms } };
  }

  #failure(): Failure | null {
    const error = this.#lastError;
    return error === null ? null : { type: error.error_type, message: error.message, step: error.step };
  }
}
