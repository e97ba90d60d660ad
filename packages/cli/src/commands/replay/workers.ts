import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { type Json, parseJson } from '@stepfork/trace-format/write';
import { type AgentEnd, startAgent, whyKilled } from '../../agent-child.js';
import { RESULTS_DESCRIPTOR } from '../../agent-descriptor.js';
import { EXIT } from '../../exit-code.js';
import type { Run } from '../../traces/glance.js';
import { type Outcome, outcomeOf } from './outcome.js';

/** One bundle of a folder, replayed. */
export interface Replayed extends Outcome {
  readonly run: Run;
  readonly exitCode: number;
  /** What `stepfork replay --json` printed of it; null where it printed none. */
  readonly document: Json;
}

/** What each bundle is replayed with. */
export interface Work {
  /** null: the one that the project names for the run's agent. */
  readonly entrypoint: string | null;
  readonly flags: readonly string[];
  /** Milliseconds that a run may take. */
  readonly timeout: number | null;
}

/** Replays the bundles, as many at once as there are cores; tells of each, and answers, in the order in which they lie. */
export async function replayEach(
  runs: readonly Run[],
  work: Work,
  tell: (result: Replayed) => void,
): Promise<readonly Replayed[]> {
  const results: (Replayed | undefined)[] = runs.map(() => undefined);
  let next = 0;
  let told = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < runs.length; at = next++) {
      results[at] = await replayOne(runs[at] as Run, work);
      for (let ready = results[told]; ready !== undefined; ready = results[++told]) tell(ready);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), runs.length) }, worker));
  return results.filter((result) => result !== undefined);
}

/** What the agent prints is nobody's business here; what we say of a failure is. */
async function replayOne(run: Run, { entrypoint, flags, timeout }: Work): Promise<Replayed> {
  const named = entrypoint === null ? [] : [`--entrypoint=${entrypoint}`];
  const stdio: ('ignore' | 'pipe')[] = ['ignore', 'ignore', 'ignore'];
  stdio[RESULTS_DESCRIPTOR] = 'pipe';
  const child = startAgent(['replay', ...named, ...flags, '--json', '--', run.path], stdio, timeout);
  let text = '';
  (child.process.stdio[RESULTS_DESCRIPTOR] as Readable).setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const end = await child.ended.catch((): AgentEnd => ({ code: EXIT.bug, signal: null, isLate: false }));
  const killed = whyKilled(end, timeout);
  if (killed !== null) {
    const verdict = end.isLate ? 'timed-out' : 'error';
    return { run, exitCode: EXIT.different, document: null, verdict, message: killed.message };
  }
  const document = documentIn(text);
  return { run, exitCode: end.code ?? EXIT.bug, document, ...outcomeOf(document) };
}

function documentIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
