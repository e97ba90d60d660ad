/** One figure: a case beside the case that it is judged by. */
export interface Row {
  readonly name: string;
  /** Median, in the bench's unit. */
  readonly value: number;
  /** Median over the rounds of this case's time by the reference's in the same round; null for the reference. */
  readonly ratio: number | null;
  /** What else is worth a column: bytes, memory, packages. */
  readonly note?: string;
}

/** What a bench found. */
export interface Table {
  readonly title: string;
  /** What one unit of the figures is: `µs a call`. */
  readonly unit: string;
  /** The case that the ratios are by. */
  readonly reference: string;
  /** How it was measured, one sentence. */
  readonly method: string;
  readonly rows: readonly Row[];
}

/** How long to measure. `brief` only shows that a bench runs; its figures mean nothing. */
export type Effort = 'full' | 'brief';

export interface Bench {
  readonly name: string;
  /** The question it answers. */
  readonly question: string;
  readonly run: (effort: Effort) => Promise<readonly Table[]>;
}
