import type { BuildCaseInput } from '../build-case.js';
import type { ProjectRule } from '../case.js';

/** One test file: what it expects, which version of the agent it runs, and what has to come of it. */
export interface Scenario {
  readonly name: string;
  /** The version of the agent (agent.ts). */
  readonly version: string;
  readonly expects: Pick<BuildCaseInput, 'expected' | 'match' | 'error' | 'trajectory' | 'traceDigest'>;
  /** Which rules of the project's configuration (agent.ts) the replay goes by; absent: none. */
  readonly rules?: readonly ProjectRule[];
  /** What the framework says of it; absent where it is green. */
  readonly says?: readonly string[];
}

const expected = { order_id: 'ORD-1001', should_notify: true, carrier: 'FedEx' };
const long = { lines: Array.from({ length: 60 }, (_, index) => `line ${index}`) };
const MISMATCH = "behavior mismatch at 'should_notify': expected true, got false";

export const SCENARIOS: readonly Scenario[] = [
  { name: 'is green on the corrected agent', version: 'fixed', expects: { expected } },
  {
    name: 'is red on a wrong output, naming the path',
    version: 'buggy',
    expects: { expected },
    says: [MISMATCH],
  },
  {
    name: 'is red on one call more, naming it',
    version: 'eager',
    expects: { expected },
    says: ['call #2', 'order_status', 'output not judged, the calls diverged'],
  },
  {
    name: 'is red on a recorded call that never comes',
    version: 'lazy',
    expects: { expected },
    says: ['order_status', 'output not judged, the calls diverged'],
  },
  {
    name: 'is red on another call whose refusal the agent swallows',
    version: 'swallowing',
    expects: { expected },
    says: ['call #1', 'order_status', 'output not judged, the calls diverged'],
  },
  {
    name: 'is red on other arguments of a call',
    version: 'renaming',
    expects: { expected },
    says: ['call #1', 'order_status', 'output not judged, the calls diverged'],
  },
  {
    name: 'is green on other arguments where the configuration of the project sees none',
    version: 'renaming',
    expects: { expected },
    rules: ['normalize'],
  },
  {
    name: 'is green where the stated part of the output is right',
    version: 'fixed',
    expects: { match: { should_notify: true } },
  },
  {
    name: 'is red where the stated part of the output is wrong',
    version: 'buggy',
    expects: { match: { should_notify: true } },
    says: [MISMATCH],
  },
  {
    name: 'is green where the expected error is thrown',
    version: 'throwing',
    expects: { error: { type: 'RangeError', message: 'late' } },
  },
  {
    name: 'is red where nothing is thrown',
    version: 'fixed',
    expects: { error: { type: 'RangeError' } },
    says: ['expected the agent to throw RangeError, but it returned'],
  },
  {
    name: 'is green where the expected steps are taken',
    version: 'fixed',
    expects: { expected, trajectory: { sequence: ['order_status'], max_steps: 1 } },
  },
  {
    name: 'is red where other steps are taken',
    version: 'fixed',
    expects: { expected, trajectory: { not_called: ['order_status'] } },
    says: ["expected tool 'order_status' not to be called"],
  },
  { name: 'is green on the recorded agent where nothing is expected', version: 'buggy', expects: {} },
  {
    name: 'is red on another output than the recorded one where nothing is expected',
    version: 'fixed',
    expects: {},
    says: ["'should_notify'"],
  },
  { name: 'is green where a long expectation is met', version: 'wordy', expects: { expected: long } },
  {
    name: 'is red where a long expectation is not met',
    version: 'buggy',
    expects: { expected: long },
    says: ["behavior mismatch at 'carrier': expected nothing"],
  },
  {
    name: 'is red where the recording is not the one that it was made from',
    version: 'fixed',
    expects: { expected, traceDigest: `sha256-${'A'.repeat(43)}=` },
    says: ['is not the recording that this test was made from'],
  },
];
