/** What is wrong with a trace or bundle. */
export interface ValidationIssue {
  /** One of the codes in docs/trace-format.md. */
  readonly code: string;
  readonly message: string;
  readonly event_id: string | null;
  readonly step: number | null;
  /** File, `file:line`, or `events.jsonl:<field>`. */
  readonly location: string | null;
}

/** Whether the files are those that were sealed. */
export type IntegrityStatus = 'verified' | 'mismatch' | 'unverified_legacy' | 'not_checked';

/** The outcome of a validation. */
export interface ValidationResult {
  /** Whether there is no issue. */
  readonly valid: boolean;
  readonly issues: readonly ValidationIssue[];
  readonly integrity: IntegrityStatus;
}

/** Most issues of one sort that are listed: a large bundle may have one in every event. */
export const MAX_ISSUES = 10_000;

/** An issue of no event in particular. */
export function issue(code: string, message: string, location: string | null = null): ValidationIssue {
  return { code, message, event_id: null, step: null, location };
}

/** Puts a result together. */
export function resultOf(issues: readonly ValidationIssue[], integrity: IntegrityStatus): ValidationResult {
  return { valid: issues.length === 0, issues, integrity };
}
