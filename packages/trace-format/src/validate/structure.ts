import { displayText } from '../display.js';
import type { TraceEvent } from '../event.js';
import type { Manifest } from '../manifest.js';
import { IdSet } from './id-set.js';
import { issue, MAX_ISSUES, type ValidationIssue } from './issue.js';

/** What a structural check looks at. */
export interface StructureOptions {
  /** A finished run is asked for: exactly one run_start, and an error event where the run failed. */
  readonly strict: boolean;
  /** Compare the number of events with the manifest's. */
  readonly count: boolean;
}

/**
 * Checks a trace event by event, so that a bundle need not be in memory: what is kept is an id and a few numbers
 * per event.
 */
export class StructureCheck {
  readonly #manifest: Manifest;
  readonly #options: StructureOptions;
  /** Of the events so far. */
  readonly #ids = new IdSet();
  /** Issues in event order; a function where only the end of the trace can tell. */
  readonly #found: (ValidationIssue | (() => ValidationIssue))[] = [];
  #unlisted = 0;
  #events = 0;
  #previousStep = 0;
  #runStarts = 0;
  #errors = 0;

  constructor(manifest: Manifest, options: StructureOptions) {
    this.#manifest = manifest;
    this.#options = options;
  }

  add(event: TraceEvent, hashIssues: readonly ValidationIssue[]): void {
    this.#events++;
    const parentIssue = this.#parentIssue(event);
    if (!this.#ids.add(event.id)) {
      this.#report(event, 'duplicate_event_id', `the id '${displayText(event.id)}' is used twice`);
    }
    if (event.run_id !== this.#manifest.run_id) {
      this.#report(event, 'run_id_mismatch', `${named(event)} belongs to run '${displayText(event.run_id)}'`);
    }
    if (event.step < this.#previousStep) {
      this.#report(event, 'step_order', `${named(event)} has step ${event.step} after step ${this.#previousStep}`);
    }
    this.#previousStep = event.step;
    if (parentIssue !== null) this.#list(parentIssue);
    for (const found of hashIssues) this.#list(found);
    if (event.type === 'run_start') this.#runStarts++;
    if (event.type === 'error') this.#errors++;
  }

  /** All issues: the count first, then those of the events in file order, then those of the run. */
  issues(): readonly ValidationIssue[] {
    const found = this.#found.map((entry) => (typeof entry === 'function' ? entry() : entry));
    return [
      ...this.#countIssues(),
      ...found,
      ...this.#unlistedIssues(),
      ...(this.#options.strict ? this.#runIssues() : []),
    ];
  }

  /** Asked before the event's own id is known: only earlier events can be parents. */
  #parentIssue(event: TraceEvent): (() => ValidationIssue) | null {
    const parent = event.parent_id;
    if (parent === null || this.#ids.has(parent)) return null;
    const { id, step } = event;
    const named = `event '${displayText(id)}': parent '${displayText(parent)}'`;
    return () =>
      this.#ids.has(parent)
        ? { ...issue('parent_not_earlier', `${named} is not an earlier event`), event_id: id, step }
        : { ...issue('invalid_parent', `${named} is no event of this trace`), event_id: id, step };
  }

  #unlistedIssues(): readonly ValidationIssue[] {
    if (this.#unlisted === 0) return [];
    return [issue('more_issues', `${this.#unlisted} more issues of events are not listed`)];
  }

  #countIssues(): readonly ValidationIssue[] {
    const stated = this.#manifest.totals.events;
    if (!this.#options.count || stated === this.#events) return [];
    return [issue('event_count_mismatch', `the manifest counts ${stated} events, the trace has ${this.#events}`)];
  }

  #runIssues(): readonly ValidationIssue[] {
    const issues: ValidationIssue[] = [];
    if (this.#runStarts !== 1) {
      issues.push(issue('run_start_count', `a finished trace has one run_start event, this one ${this.#runStarts}`));
    }
    if (this.#manifest.status === 'failed' && this.#errors === 0) {
      issues.push(issue('missing_error_event', 'the run failed, but there is no error event'));
    }
    return issues;
  }

  #report(event: TraceEvent, code: string, message: string): void {
    this.#list({ ...issue(code, message), event_id: event.id, step: event.step });
  }

  #list(found: ValidationIssue | (() => ValidationIssue)): void {
    if (this.#found.length < MAX_ISSUES) this.#found.push(found);
    else this.#unlisted++;
  }
}

function named(event: TraceEvent): string {
  return `event '${displayText(event.id)}'`;
}
