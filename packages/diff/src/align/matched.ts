/**
 * What is matched of two sequences, by index: `a[at]` and `b[at]` are counterparts. Both ascend. Numbers side by side,
 * as there may be very many.
 */
export interface Matched {
  readonly a: Int32Array;
  readonly b: Int32Array;
}
