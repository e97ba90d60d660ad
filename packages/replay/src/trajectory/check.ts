import type { Json } from '@stepfork/trace-format';
import type { ReplayReport } from '../report.js';

/** What is judged: the calls of a replay, in the order in which they came. */
export type Calls = ReplayReport['calls'];

/** One thing that is expected of the calls. */
export interface Check {
  /** What the JSON form calls it. */
  readonly key: string;
  /** What is otherwise: one sentence, and lines with details below it. None where it is as expected. */
  readonly faults: (calls: Calls) => readonly string[];
}

/** A tool call and its place. */
export interface ToolCall {
  /** 1-based, among all calls of the replay. */
  readonly number: number;
  readonly name: string;
  readonly input: Json;
}

/** The tool calls among the calls, failed ones too; those of one tool where it is named. */
export function toolCallsIn(calls: Calls, name?: string): readonly ToolCall[] {
  return calls
    .map((call, index) => ({ number: index + 1, kind: call.kind, name: call.name, input: call.input }))
    .filter((call) => call.kind === 'tool' && (name === undefined || call.name === name));
}
