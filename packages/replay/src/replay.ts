import { StepforkError, type Trace } from '@stepfork/trace-format';
import type { ReplayOptions } from './options.js';
import { type Entrypoint, prepare } from './prepare.js';
import { agreedReport } from './report/disagreement.js';
import type { ReplayReport } from './report.js';

/**
 * Runs an entrypoint against a recording: every call of an instrumented function is answered from the recording, and
 * none of their bodies runs, unless option `mode` says otherwise. Resolves to a report whatever the run came to; a
 * divergence is reported, not thrown.
 *
 * @param source path of a bundle, or a trace
 * @throws StepforkError `bad_option`, `bad_source`, `bad_entrypoint`, `bad_input`, `disabled`, whatever `loadTrace`
 * throws, and `not_canonical` for a recording whose inputs cannot be compared
 */
export async function replay(
  source: string | Trace,
  entrypoint: Entrypoint,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const { settings, args, run } = prepare(source, options);
  if (typeof entrypoint !== 'function') {
    throw new StepforkError('bad_entrypoint', `replay needs a function as its entrypoint, not ${typeof entrypoint}`);
  }
  const once = async (): Promise<ReplayReport> => (await run(entrypoint, args())).report;
  const first = await once();
  if (settings.repeat === 1) return first;
  const others: ReplayReport[] = [];
  while (others.length + 1 < settings.repeat) others.push(await once());
  return agreedReport([first, ...others]);
}
