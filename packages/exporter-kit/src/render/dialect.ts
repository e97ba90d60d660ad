/** What differs between two test frameworks whose tests are otherwise written alike. */
export interface Dialect {
  /** The exporter's name, as given to `--to`. */
  readonly exporter: string;
  /** The package that the test imports `replayCase` and, from `/setup`, the matchers from. */
  readonly packageName: string;
  /** The module that `describe`, `test` and the others come from. */
  readonly framework: string;
  /** The functions a test takes from it, sorted. */
  readonly functions: readonly string[];
}
