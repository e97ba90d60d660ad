import type { CaseOptions } from '@stepfork/exporter-kit';
import type { ReplayOptions } from '@stepfork/replay';
import { displayText, type Trace } from '@stepfork/trace-format';
import { comparingOf } from '../../config/comparing.js';
import type { ProjectConfig } from '../../config/project-config.js';
import { recordedUnder } from '../../config/redaction.js';

/** What the command line says of how the test replays. */
export interface ReplayingFlags {
  readonly mode: 'frozen' | 'hybrid' | 'live' | 'forbidden';
  readonly liveLlm: readonly string[] | undefined;
  readonly allowLiveTool: readonly string[] | undefined;
  readonly order: 'recorded' | 'strict' | 'any';
  readonly ignore: readonly string[] | undefined;
  readonly allow: readonly string[] | undefined;
  readonly now: string | undefined;
  readonly skipSleeps: boolean | undefined;
}

/** What the test states of how it replays: the project's rules and the command line's, and no default. */
export function caseOptions(given: ReplayingFlags, project: ProjectConfig): CaseOptions {
  const { mode, liveLlm, allowLiveTool, order, now, skipSleeps } = given;
  const { ignore, match } = comparingOf(project, given.ignore ?? []);
  const always = mode === 'live' ? [] : (project.settings.guard?.allow ?? []);
  // Each once: the test's own header gives as flags what the project says, too.
  const allow = [...new Set([...always, ...(given.allow ?? [])])];
  const ignored = Object.entries(ignore ?? {}).map(([call, pointers]) => [call, [...new Set(pointers)]] as const);
  return {
    ...(mode === 'frozen' ? {} : { mode }),
    ...(liveLlm === undefined ? {} : { liveLlms: liveLlm }),
    ...(allowLiveTool === undefined ? {} : { allowLiveTools: allowLiveTool }),
    ...(order === 'recorded' ? {} : { order }),
    ...(ignored.length === 0 ? {} : { ignore: Object.fromEntries(ignored) }),
    ...(match === undefined ? {} : { match }),
    ...(allow.length === 0 ? {} : { allow }),
    ...(now === undefined || now === 'recorded' ? {} : { now }),
    ...(skipSleeps === true ? { skipSleeps } : {}),
  };
}

/** The same for the replay that is made before anything is written, with the rules that only the project has. */
export function replayOptions({ now, ...options }: CaseOptions, trace: Trace, project: ProjectConfig): ReplayOptions {
  const { normalize } = comparingOf(project, []);
  const rules = { ...options, normalize, redact: recordedUnder(trace, project) ?? undefined };
  if (now === undefined) return rules;
  return { ...rules, now: now === 'real' ? now : new Date(now) };
}

/** What of the project's rules is code, or regular expressions, which a test does not state: null where there is none. */
export function whyUnstated({ settings, fileOf }: ProjectConfig): string | null {
  const unstated = (['normalize', 'redact'] as const).filter((key) => settings[key] !== undefined);
  const [first] = unstated;
  if (first === undefined) return null;
  return `the test does not have ${unstated.join(' and ')} of ${displayText(fileOf(first) ?? 'the configuration')}: import them into it, and give them to its replayCase()`;
}
