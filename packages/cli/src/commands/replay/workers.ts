import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type Json, parseJson } from '@stepfork/trace-format/write';
import { EXIT } from '../../exit-code.js';
import { inFlags } from '../../flag-names.js';
import type { Run } from '../../traces/glance.js';

/** One bundle of a folder, replayed. */
export interface Replayed {
  readonly run: Run;
  readonly exitCode: number;
  /** `matched`, `diverged` …; `error` where there was nothing to report. */
  readonly verdict: string;
  /** One line: what was different, or what went wrong. */
  readonly message: string | null;
  /** What `stepfork replay --json` printed of it; null where it printed none. */
  readonly document: Json;
}

/** What each bundle is replayed with. */
export interface Work {
  /** null: the one that the project names for the run's agent. */
  readonly entrypoint: string | null;
  readonly flags: readonly string[];
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
async function replayOne(run: Run, { entrypoint, flags }: Work): Promise<Replayed> {
  const program = fileURLToPath(new URL('../bin/stepfork.js', import.meta.url));
  const named = entrypoint === null ? [] : ['--entrypoint', entrypoint];
  const args = [program, 'replay', run.path, ...named, ...flags, '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const exitCode = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(EXIT.bug));
    child.on('close', (code) => resolve(code ?? EXIT.bug));
  });
  const document = documentIn(text);
  return { run, exitCode, document, ...outcomeOf(document) };
}

function documentIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function outcomeOf(document: Json): Pick<Replayed, 'verdict' | 'message'> {
  if (!isJsonObject(document)) return { verdict: 'error', message: 'it printed no result' };
  const { report } = document;
  const verdict = textIn(report, 'verdict');
  if (verdict === null) return { verdict: 'error', message: textIn(document, 'message') };
  return { verdict, message: whatDiffers(report, document.expectation) };
}

/** Where the output met an expectation, no other one is asked for. */
function whatDiffers(report: Json | undefined, expectation: Json | undefined): string | null {
  const isMet = isJsonObject(expectation) && expectation.met === true;
  const message = isJsonObject(report) ? textIn(report.divergence, 'message') : null;
  const divergence = message === null ? null : inFlags(message);
  return divergence ?? textIn(report, 'disagreement') ?? (isMet ? null : textIn(expectation, 'message'));
}

function textIn(json: Json | undefined, key: string): string | null {
  const value = isJsonObject(json) ? json[key] : null;
  return typeof value === 'string' ? value : null;
}
