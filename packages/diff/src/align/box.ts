/** Two sequences of interned texts. */
export interface Sequences {
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
}

/** A part of each, up to and without `aTo` and `bTo`. */
export interface Box {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}
