import { record } from '@stepfork/recorder';
import { type ReplayOptions, type ReplayReport, replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import type { WireServer } from './wire/server.js';

export interface RoundTrip<T> {
  readonly recorded: T;
  readonly report: ReplayReport;
  readonly trace: Trace;
  /** Requests that the server had before it was stopped. */
  readonly requests: number;
}

export interface RoundTripOptions extends ReplayOptions {
  /** What is replayed, where that is not what was recorded. */
  readonly replayed?: () => Promise<unknown>;
}

/** Records an agent, stops the server that it asked, and replays the agent, or another. */
export async function roundTrip<T>(
  path: string,
  server: WireServer,
  agent: () => Promise<T>,
  { replayed = agent, ...options }: RoundTripOptions = {},
): Promise<RoundTrip<T>> {
  const recorded = await record('fetching-agent', { output: path }, agent);
  server.stop();
  const requests = server.requests.length;
  const trace = loadTrace(path);
  const report = await replay(path, replayed, options);
  return { recorded, report, trace, requests };
}
