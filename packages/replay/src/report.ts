import type { Json } from '@stepfork/trace-format';

/** Why a replay stopped being the recorded run. */
export type DivergenceCode =
  /** A call came that the recording does not hold, or holds no more. */
  | 'unexpected_call'
  /** A recorded call of the same kind and name exists, but with another input. */
  | 'input_changed'
  /** Recorded calls never came. */
  | 'missing_call'
  /** A stream was read on at the place at which the recording cancelled it. */
  | 'past_cancellation'
  /** The calls came in an order that the recording excludes. */
  | 'reordered'
  /** Overlapping identical calls that cannot be told apart, where that was refused. */
  | 'ambiguous'
  /** The call is forbidden by the recording or by the options. */
  | 'policy'
  /** The recorded outcome holds a placeholder or cannot be decoded. */
  | 'unservable'
  /** A boundary was reached with no context while several replays were active. */
  | 'context_lost';

/** A JSON path at which two inputs differ. `undefined` never stands in a report: a missing side is null. */
export interface Difference {
  /** `messages[2].content`; the root is `$`. */
  readonly path: string;
  readonly kind: 'changed' | 'added' | 'removed';
  readonly recorded: Json;
  readonly actual: Json;
}

/** A call as a report shows it: redacted. */
export interface CallView {
  readonly kind: 'tool' | 'llm';
  /** Tool name, or model. */
  readonly name: string;
  readonly provider: string | null;
  /** Canonical JSON of the redacted input, cut to 200 characters. */
  readonly inputPreview: string;
  /** SHA-256 of the key that matching uses. */
  readonly fingerprint: string;
  /** 0-based position among the recording's calls, or null for a call it does not hold. */
  readonly index: number | null;
}

export interface Divergence {
  readonly code: DivergenceCode;
  /** 1-based number, among the calls of this replay, of the call at which it diverged; for `missing_call`, one past the last. */
  readonly position: number;
  readonly kind: 'tool' | 'llm';
  /** Name of the call that came or, for `missing_call`, of the one that did not. */
  readonly name: string;
  /** What was recorded: the call that was expected, or the nearest untaken one. */
  readonly recorded: CallView | null;
  /** What came. */
  readonly actual: CallView | null;
  readonly differences: readonly Difference[];
  /** First frame of the live stack outside Stepfork: `agent.ts:12:9`. */
  readonly callSite: string | null;
  /** One line for a person: `call #1: expected tool 'a' but the agent called 'b'`. */
  readonly message: string;
}

export interface ReplayReport {
  readonly verdict: 'matched' | 'diverged' | 'output-changed' | 'reproduced-failure';
  readonly facets: {
    readonly execution: 'completed' | 'threw' | 'stalled';
    readonly dependencies: 'matched' | 'diverged';
    readonly output: 'matched' | 'changed' | 'not-recorded';
  };
  readonly counts: {
    /** Calls the recording expects of this replay. */
    readonly recorded: number;
    /** Calls answered from the recording. */
    readonly substituted: number;
    /** Calls whose real body ran. */
    readonly executed: number;
  };
  /** What the run came to, redacted, as JSON; null when it threw. */
  readonly output: Json;
  /** What the run threw, or null. */
  readonly error: { readonly name: string; readonly message: string } | null;
  readonly divergence: Divergence | null;
  /** Overlapping identical calls with different outcomes, told apart by order alone. */
  readonly ambiguous: readonly CallView[];
  /** Synchronous calls that came before their recorded place. */
  readonly early: readonly CallView[];
  /** Calls served from another frame because their context was lost. */
  readonly reparented: readonly CallView[];
  /** What declared volatility left out of keys. */
  readonly ignored: readonly { readonly pattern: string; readonly count: number }[];
  /** What the guard stopped. */
  readonly blocked: readonly { readonly what: string; readonly callSite: string | null }[];
  /** What the run used that is not frozen, where option `observe` asked for it. */
  readonly observed: readonly {
    readonly what: 'clock' | 'random' | 'environment' | 'files';
    /** `Math.random`, `process.env.HOME`, `fs.readFileSync config.json`. */
    readonly name: string;
    readonly count: number;
    /** Where it was used first. */
    readonly callSite: string | null;
  }[];
  /** The calls of this replay in the order in which they came. */
  readonly calls: readonly (CallView & {
    readonly action: 'substituted' | 'executed' | 'refused';
    readonly status: 'ok' | 'error' | 'pending';
    /** The redacted input. */
    readonly input: Json;
  })[];
  /** How runs that should have been alike were not, where the agent was run more than once; else null. */
  readonly disagreement: string | null;
  /** Things worth saying that change no verdict, each one line. */
  readonly notes: readonly string[];
  readonly recording: {
    readonly runId: string;
    readonly agentName: string;
    readonly status: 'running' | 'completed' | 'failed';
    readonly output: Json;
    readonly failure: { readonly type: string; readonly message: string } | null;
  };
}
