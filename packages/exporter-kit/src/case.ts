import type { PlacesByCall } from '@stepfork/replay';
import type { Json, JsonObject } from '@stepfork/trace-format';

/** How the user's project wants a test file to look. */
export interface RenderTarget {
  readonly module: 'esm' | 'cjs';
  readonly typescript: boolean;
}

/** How a project's TypeScript sources end the path of a relative import: `./agent.js`, `./agent`, `./agent.ts`. */
export type ImportSuffix = 'js' | 'none' | 'ts';

/** An error by its name and, in part, its message. */
export interface ExpectedError {
  readonly type: string;
  readonly message?: string;
}

/** How a test replays, where it is not by the defaults: options of `replayCase`, as data. */
export interface CaseOptions {
  /** Which calls really run. Absent: none, the replay is frozen. */
  readonly mode?: 'hybrid' | 'live' | 'forbidden';
  /** Of mode `hybrid`: the models that really run. */
  readonly liveLlms?: readonly string[];
  /** Of mode `live`: the tools that may run. */
  readonly allowLiveTools?: readonly string[];
  /** Which orders of calls count as the recorded one. */
  readonly order?: 'strict' | 'any';
  /** JSON Pointers, by call, to what of the inputs is not compared. */
  readonly ignore?: PlacesByCall;
  /** The same to all that is compared of them. */
  readonly match?: PlacesByCall;
  /** Hosts and commands that the agent may reach besides its instrumented calls. */
  readonly allow?: readonly string[];
  /** The agent's clock: the real one, or the date at which it begins, as ISO 8601 writes it. */
  readonly now?: string;
  /** The agent's own timers end at once. */
  readonly skipSleeps?: true;
  /** The redaction rules that the run was recorded under, as data: a pattern is the source of a regular expression. */
  readonly redact?: JsonObject;
}

/** Rules of a project that may be code. */
export type ProjectRule = 'redact' | 'normalize';

/** Everything a test of one recorded failure is made of. All of it is data; none of it is code. */
export interface RegressionCase {
  /** Title of the describe block, fit for a terminal. */
  readonly title: string;
  readonly agentName: string;
  readonly runId: string;
  /** When the run was recorded, as the manifest says it. */
  readonly createdAt: string;
  /** One line: what the recorded run did wrong. */
  readonly problem: string;
  /** Path of the test file's name, without a folder: `notify-agent.test.ts`. */
  readonly fileName: string;
  readonly target: RenderTarget & {
    /** The framework's functions are typed globals in this project, so that a test imports none of them. */
    readonly globals: boolean;
  };
  readonly entrypoint: {
    /** Import specifier from the test file: `./agent.js`. */
    readonly specifier: string;
    /** `default`, or the name of an export. */
    readonly exportName: string;
    /** Path of the file itself from the test file's folder, `/` separated, or its alias: `./agent.ts`. */
    readonly file: string;
  };
  readonly trace: {
    /** Path of the bundle from the test file's folder, `/` separated. */
    readonly path: string;
    /** What it held when the test was made (`traceDigest`). Absent: not known. */
    readonly digest?: string;
  };
  /** What the test calls the agent with, redacted. Absent: the recorded run's own input. */
  readonly input?: Json;
  /** How the test replays. Absent: by the defaults. */
  readonly options?: CaseOptions;
  /** The exporter's own options, as the user gave them; what its schema made of them is given beside the case. */
  readonly exporterOptions?: JsonObject;
  /** The module whose default export has rules that the test replays by, under these names. Absent: none are needed. */
  readonly config?: { readonly specifier: string; readonly rules: readonly ProjectRule[] };
  /** The output that is right, redacted. How the run should end is best asked of `expectedEnd`. */
  readonly expected?: Json;
  /** What of the output is right, redacted: objects have more properties than these. */
  readonly match?: Json;
  /** What the agent should throw, its message in part and redacted. */
  readonly error?: ExpectedError;
  /** What the calls should be, as `toHaveTrajectory` takes it, redacted. */
  readonly trajectory?: JsonObject;
  /** The user asked for what was recorded, whatever else is expected. */
  readonly same?: true;
  /** What the recorded run returned, redacted; null as well where it returned nothing. */
  readonly recordedOutput: Json;
  /** How the recorded run ended; `unknown` for one whose end was not recorded. */
  readonly recordedEnd: 'returned' | 'failed' | 'unknown';
  /** Present exactly for a run that failed. */
  readonly recordedFailure: { readonly type: string; readonly message: string } | null;
  readonly recordedCalls: readonly { readonly kind: 'tool' | 'llm'; readonly name: string }[];
  readonly timeoutMs: number;
}
