import { statSync } from 'node:fs';
import { checkOutput, prepareReplay } from '@stepfork/exporter-kit/runtime';
import { formatReport, type Now, type ReplayReport, replay } from '@stepfork/replay';
import { isBundlePath, type Json, loadTrace, StepforkError } from '@stepfork/trace-format';
import { chooseEntrypoint } from '../../config/choose-entrypoint.js';
import { comparingOf } from '../../config/comparing.js';
import type { ConfigSource } from '../../config/config-source.js';
import type { ProjectConfig } from '../../config/project-config.js';
import { recordedUnder } from '../../config/redaction.js';
import { loadEntrypoint } from '../../entrypoint.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { reportInFlags } from '../../flag-names.js';
import { folded } from '../../fold.js';
import { holdOutput } from '../../hold-output.js';
import { readJsonFile } from '../../json-file.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { withUserCode } from '../../user-code.js';
import { flagsOf, type Given } from './given.js';
import { requireOtherPlace } from './own-place.js';
import { whereRecorded } from './recorded-step.js';

/** What can be found wrong with the arguments is, before the first line of the user's code runs. */
export async function runReplay(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  if (isFolderOfBundles(given.bundle)) {
    const { bundle, entrypoint, agent, record, json, timeout = null } = given;
    const { replayFolder } = await import('./folder.js');
    const work = { folder: bundle, entrypoint, agent, flags: flagsOf(given), record, json: json === true, timeout };
    return replayFolder(work, terminal, await config());
  }
  if (given.agent !== undefined) throw new StepforkError('usage', '--agent is for a folder of bundles, not for one');
  if (given.record !== undefined) requireOtherPlace(given.bundle, given.record);
  if (given.timeout !== undefined) {
    const { replayLimited } = await import('./limited.js');
    return replayLimited(given, given.timeout);
  }
  const trace = loadTrace(given.bundle);
  const project = await config();
  const entrypoint = chooseEntrypoint(given.entrypoint, trace.agent_name, project, 'replay');
  const { expectOutput, input } = given;
  const expected = expectOutput === undefined ? undefined : readJsonFile(expectOutput, 'expected output');
  const options = {
    mode: given.mode,
    order: given.order,
    liveLlms: given.liveLlm,
    allowLiveTools: given.allowLiveTool,
    allow: allowedBy(given, project),
    observe: given.observe,
    skipSleeps: given.skipSleeps,
    now: clockOf(given.now),
    record: given.record === undefined ? undefined : { path: given.record, overwrite: given.overwrite === true },
    repeat: given.repeat,
    ...comparingOf(project, given.ignore ?? []),
    redact: recordedUnder(trace, project) ?? undefined,
    ...(input === undefined ? {} : { input: readJsonFile(input, 'input') }),
  };
  const release = given.record === undefined ? () => {} : holdOutput(given.record);
  const report = await withUserCode(entrypoint.text, terminal, { json: given.json === true, trace }, async () => {
    prepareReplay();
    return replay(trace, await loadEntrypoint(entrypoint), options);
  }).finally(release);
  const expectation = expected === undefined ? null : judge(report, expected);
  if (given.json) {
    const { bundle, mode } = given;
    terminal.result(
      jsonDocument({ schema: 'stepfork.replay/1', bundle, entrypoint: entrypoint.text, mode, report, expectation }),
    );
  } else {
    const text = formatReport(reportInFlags(report), { verbose: given.verbose === true }).trimEnd();
    // What goes on stands below the facts, not below their names.
    const [headline = '', ...rest] = folded(text, terminal.columns, 11).split('\n');
    const fine =
      report.disagreement === null && isFine(report, expectation === null ? null : { ...expectation, met: true });
    terminal.result([terminal.paint(fine ? 'green' : 'red', headline), ...rest].join('\n'));
    const recorded = whereRecorded(report, trace, given.bundle);
    if (recorded !== null) terminal.result(folded(recorded, terminal.columns));
    if (expectation !== null) terminal.result(terminal.paint(expectation.met ? 'green' : 'red', expectation.message));
  }
  return exitCodeOf(report, expectation);
}

/** What the project always allows, and what was allowed now. In mode `live` nothing is stopped that could be allowed. */
function allowedBy({ mode, allow }: Given, { settings }: ProjectConfig): readonly string[] | undefined {
  const always = mode === 'live' ? undefined : settings.guard?.allow;
  return always === undefined ? allow : [...always, ...(allow ?? [])];
}

/** A bundle is told by its name. */
function isFolderOfBundles(path: string): boolean {
  return !isBundlePath(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function clockOf(now: string | undefined): Now | undefined {
  return now === undefined || now === 'recorded' || now === 'real' ? now : new Date(now);
}

interface Expectation {
  readonly met: boolean;
  /** `the output is the expected one`, or where it is not. */
  readonly message: string;
}

function judge(report: ReplayReport, expected: Json): Expectation {
  const { pass, message } = checkOutput(report, expected);
  return { met: pass, message: pass ? 'the output is the expected one' : message };
}

/** Without an expectation the recording is one; with an expectation only its calls are. */
function exitCodeOf(report: ReplayReport, expectation: Expectation | null): ExitCode {
  const fine = report.disagreement === null && isFine(report, expectation);
  return fine ? EXIT.same : EXIT.different;
}

function isFine(report: ReplayReport, expectation: Expectation | null): boolean {
  return expectation === null ? isAsRecorded(report) : report.verdict !== 'diverged' && expectation.met;
}

const isAsRecorded = ({ verdict }: ReplayReport): boolean => verdict === 'matched' || verdict === 'reproduced-failure';
