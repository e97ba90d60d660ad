import type { Json } from '@stepfork/trace-format/write';

/** One leaf at which two steps differ. */
export interface ValueChange {
  /** `output.flights[1].price`; `label` for the step itself. */
  readonly path: string;
  readonly kind: 'changed' | 'added' | 'removed';
  /** null where that side has none. */
  readonly before: Json;
  readonly after: Json;
}

export interface DiffStep {
  /**
   * `moved`: the same step at another place, past steps that it did not overlap in both runs; `changes` then says
   * what else is different about it.
   */
  readonly kind: 'unchanged' | 'changed' | 'moved' | 'added' | 'removed';
  readonly type: 'tool' | 'llm' | 'state' | 'error' | 'run';
  /** Tool name; `provider/model` or model; state key; error type; `run`. The baseline's, where it has the step. */
  readonly label: string;
  /** 0-based position among the compared steps of each side, or null where that side has none. */
  readonly baseline: number | null;
  readonly candidate: number | null;
  /** The step's number in each run: that which `stepfork inspect` shows and its `--step` takes. */
  readonly baselineStep: number | null;
  readonly candidateStep: number | null;
  /** Empty for a step that only one side has. */
  readonly changes: readonly ValueChange[];
}

/** What two runs did differently. Plain data. */
export interface DiffResult {
  /** Whether every step is unchanged. */
  readonly equivalent: boolean;
  readonly counts: {
    readonly unchanged: number;
    readonly changed: number;
    readonly moved: number;
    readonly added: number;
    readonly removed: number;
  };
  readonly steps: readonly DiffStep[];
  /** The runs are so long and so different that the search was cut short: fewer differences might describe them. */
  readonly approximate?: true;
  /**
   * One run is a replay of the other, and so many steps of the recorded run lie inside calls that the replay answered
   * from the recording: their bodies did not run. These steps are neither counted nor among `steps`.
   */
  readonly notReplayed?: number;
}
