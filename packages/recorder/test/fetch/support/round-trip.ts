import { record } from '@stepfork/recorder';
import { type ReplayOptions, type ReplayReport, replay } from '@stepfork/replay';
import { loadTrace, type Trace } from '@stepfork/trace-format';
import type { WireServer } from './wire-server.js';

export interface RoundTrip<T> {
  readonly recorded: T;
  readonly report: ReplayReport;
  readonly trace: Trace;
  /** Requests that the server had when it was closed; none can come after. */
  readonly requests: number;
}

/** Records an agent, closes the server that it asked, and replays the agent, or another. */
export async function roundTrip<T>(
  path: string,
  server: WireServer,
  agent: () => Promise<T>,
  { replayed = agent, ...options }: { readonly replayed?: () => Promise<unknown> } & ReplayOptions = {},
): Promise<RoundTrip<T>> {
  const recorded = await record('fetching-agent', { output: path }, agent);
  await server.close();
  const trace = loadTrace(path);
  const report = await replay(path, replayed, options);
  return { recorded, report, trace, requests: server.requests.length };
}
