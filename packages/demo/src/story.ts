/** What an example tells the demo about itself; the steps are the same for every example. */
export interface Story {
  /** Folder of the example: the one that holds `src`, `tests`, `expected.json`. */
  readonly folder: string;
  /** First line of the demo. */
  readonly title: string;
  /** What goes wrong, in one or two sentences. */
  readonly plot: string;
  /** `src/agent.ts:notifyAgent`. */
  readonly entrypoint: string;
  /** Stem of the two exported tests: `notify-agent`. */
  readonly testName: string;
  /** Calls that the agent makes in one run, all of them bodies that count themselves. */
  readonly calls: number;
  /** The one line that the exported test prints on the buggy agent. */
  readonly mismatch: string;
}
