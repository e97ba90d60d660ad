import type { Json } from '@stepfork/trace-format/write';

/** The built-in rules that a redactor starts from. */
export type RulesetName = 'default' | '0.1';

/** Where a function rule is asked. */
export interface RedactPlace {
  /** JSON Pointer from the root of the payload. */
  readonly path: string;
  /** The key or index of the value, or null for the payload itself. */
  readonly key: string | number | null;
}

/** Answers true for a value that is to be redacted whole. Must not change the value. */
export type RedactFunction = (value: Json, place: RedactPlace) => boolean;

/** Rules beside the built-in ones. Compiled once, when the redactor is made. */
export interface RedactOptions {
  /** Default `default`. `0.1` is what the Python original does, exactly. */
  readonly ruleset?: RulesetName;
  /** Keys whose value is redacted whole. Case and punctuation do not matter: `ssn` is `SSN` and `s-s-n`. */
  readonly keys?: readonly string[];
  /**
   * JSON Pointers, from the root of each payload (an input, an output), to values that are redacted whole. A
   * segment `*` stands for any key or index.
   */
  readonly pointers?: readonly string[];
  /** Shapes in strings. A group named `secret` is what is replaced; without one, the whole match is. */
  readonly patterns?: readonly RegExp[];
  readonly functions?: readonly RedactFunction[];
  /** Personal data, off by default. */
  readonly pii?: readonly ('email' | 'phone')[];
}
