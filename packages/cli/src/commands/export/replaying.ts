import { type CaseOptions, isImportable, type ProjectRule, type RenderTarget } from '@stepfork/exporter-kit';
import type { ReplayOptions } from '@stepfork/replay';
import { displayText, type JsonObject, type Trace } from '@stepfork/trace-format';
import { comparingOf } from '../../config/comparing.js';
import { isDataFile } from '../../config/config-files.js';
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

type PlainOptions = Omit<CaseOptions, 'redact'>;

/** What the test states of how it replays: the project's rules and the command line's, and no default. */
export function caseOptions(given: ReplayingFlags, project: ProjectConfig): PlainOptions {
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
export function replayOptions({ now, ...options }: PlainOptions, trace: Trace, project: ProjectConfig): ReplayOptions {
  const { normalize } = comparingOf(project, []);
  const rules = { ...options, normalize, redact: recordedUnder(trace, project) ?? undefined };
  if (now === undefined) return rules;
  return { ...rules, now: now === 'real' ? now : new Date(now) };
}

/** Rules of the project that may be code, as the test has them. */
export interface TestRules {
  /** Those that are data, from a configuration that is. */
  readonly options: Pick<CaseOptions, 'redact'>;
  /** Those that the test imports. */
  readonly config: { readonly file: string; readonly rules: readonly ProjectRule[] } | null;
  /** Why the test has not all of them; null where it has. */
  readonly missing: string | null;
}

/** What the replay of this trace goes by: rules of redaction only where it was recorded under them. */
export function testRules(trace: Trace, project: ProjectConfig, target: RenderTarget): TestRules {
  const { normalize, redact } = project.settings;
  const needed: readonly ProjectRule[] = [
    ...(recordedUnder(trace, project) === null ? [] : (['redact'] as const)),
    ...(normalize === undefined ? [] : (['normalize'] as const)),
  ];
  const isData = (rule: ProjectRule): boolean => isDataFile(project.fileOf(rule) ?? '');
  const code = needed.filter((rule) => !isData(rule));
  const options = needed.some(isData) ? { redact: redact as JsonObject } : {};
  const file = code[0] === undefined ? null : project.fileOf(code[0]);
  if (file === null) return { options, config: null, missing: null };
  if (isImportable(file, target)) return { options, config: { file, rules: code }, missing: null };
  const language = target.typescript ? 'TypeScript' : 'JavaScript';
  const missing = `the test does not have ${code.join(' and ')} of ${displayText(file)}, which it cannot import: it is ${language} that runs as ${target.module === 'cjs' ? 'CommonJS' : 'an ES module'}. Write the configuration so, or give these to its replayCase()`;
  return { options, config: null, missing };
}
