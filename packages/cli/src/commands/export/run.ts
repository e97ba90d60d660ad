import { dirname, relative, resolve } from 'node:path';
import {
  buildCase,
  checkRendered,
  checkTrace,
  defaultTestFile,
  detectTarget,
  type Exporter,
  exemptFromGit,
  keepTrace,
  PINS_ONLY_WARNING,
  SAME_WARNING,
  type TraceCopy,
  traceDigest,
  tracePlace,
  type WriteOptions,
  type WrittenFile,
  writeRendered,
} from '@stepfork/exporter-kit';
import { prepareReplay } from '@stepfork/exporter-kit/runtime';
import { replay } from '@stepfork/replay';
import { displayText, loadTrace, StepforkError, type Trace, validateBundle } from '@stepfork/trace-format';
import { chooseExporter } from '../../config/choose-exporter.js';
import type { ConfigSource } from '../../config/config-source.js';
import { loadEntrypoint } from '../../entrypoint.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { readJsonFile } from '../../json-file.js';
import { findExporter, renderWith } from '../../plugins.js';
import { shellArgument } from '../../shell-argument.js';
import type { Terminal } from '../../terminal.js';
import { withUserCode } from '../../user-code.js';
import { whyUnaliased } from './aliased.js';
import { type ExpectationFlags, type Expectations, readExpectations } from './expectations.js';
import { chooseImportable } from './importable.js';
import { whyUnloadable } from './loadable.js';
import { namedOptions } from './named-options.js';
import { contradictsSteps, describeReplay, requireMatch } from './outlook.js';
import { requireData, requireEdited, requireFile, requireOwnPlace, showingDiff } from './refusal.js';
import { caseOptions, type ReplayingFlags, replayOptions, testRules } from './replaying.js';
import { whyIgnored } from './runner-pattern.js';

interface Given extends ExpectationFlags, ReplayingFlags {
  readonly bundle: string;
  readonly to: string | undefined;
  readonly entrypoint: string | undefined;
  readonly input: string | undefined;
  readonly option: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly module: 'esm' | 'cjs' | undefined;
  readonly copy: boolean;
  readonly traceDir: string | undefined;
  readonly overwrite: boolean | undefined;
  readonly force: boolean | undefined;
}

/** What can be found wrong with the arguments is, before the first line of the user's code runs. */
export async function runExport(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  requireFile(given.output);
  const trace = loadValid(given.bundle);
  const expectations = readExpectations(given);
  const input = given.input === undefined ? {} : { input: readJsonFile(given.input, 'input') };
  const project = await config();
  const entrypoint = chooseImportable(given.entrypoint, trace.agent_name, project);
  const to = chooseExporter(given.to, project);
  const options = caseOptions(given, project);
  const exporterOptions = namedOptions(given.option ?? []);
  await withUserCode(entrypoint.text, terminal, { json: false, trace }, async () => {
    const { exporter, missing } = await findExporter(to);
    const target = detectTarget(dirname(given.output ?? '.'), exporter.name, {
      entrypointFile: entrypoint.file,
      ...(given.output === undefined ? {} : { testFile: given.output }),
      module: given.module,
    });
    const testFile = resolve(given.output ?? defaultTestFile(given.bundle, exporter, target));
    requireOwnPlace(testFile, { ...given, entrypointFile: entrypoint.file });
    const copy = given.copy ? { from: given.bundle, to: tracePlace(testFile, given.traceDir) } : null;
    const digest = traceDigest(given.bundle);
    const rules = testRules(trace, project, target);
    const regression = buildCase({
      trace,
      tracePath: copy?.to ?? given.bundle,
      ...(digest === null ? {} : { traceDigest: digest }),
      entrypointFile: entrypoint.file,
      ...(entrypoint.alias === null ? {} : { entrypointAlias: entrypoint.alias }),
      exportName: entrypoint.exportName,
      testFile,
      target,
      options: { ...options, ...rules.options },
      exporterOptions,
      ...(rules.config === null ? {} : { config: rules.config }),
      ...input,
      ...expectations,
    });
    requireEdited(regression, given.expectOutput ?? given.expectMatch);
    requireData(regression);
    const rendered = renderWith(exporter, regression);
    const folder = dirname(testFile);
    const writing = { overwrite: given.overwrite };
    showingDiff(terminal, () => checkRendered(rendered, folder, writing));
    if (copy !== null) checkTrace(copy, writing);
    prepareReplay();
    const report = await replay(trace, await loadEntrypoint(entrypoint), {
      ...input,
      ...replayOptions(options, trace, project),
    });
    if (given.force !== true) requireMatch(entrypoint.text, report);
    const kept = copy === null ? [] : keepForGit(copy, writing);
    const files = [...writeRendered(rendered, folder, writing), ...kept];

    for (const line of describeReplay(entrypoint.text, report, regression)) terminal.result(line);
    for (const { path, written } of files) {
      terminal.result(`${written ? 'wrote' : 'unchanged:'} ${displayText(relative('', path))}`);
    }
    terminal.result(target.reason);
    terminal.result(howToRun(exporter, testFile, target.module));
    const ignored = whyIgnored(exporter.name, relative('', testFile));
    if (ignored !== null) terminal.message(`stepfork: ${displayText(ignored)}`);
    if (rules.missing !== null) terminal.message(`stepfork: ${rules.missing}`);
    const unaliased = whyUnaliased(exporter.name, testFile, entrypoint);
    if (unaliased !== null) terminal.message(`stepfork: ${displayText(unaliased)}`);
    const unloadable = whyUnloadable(exporter.name, entrypoint.file);
    if (unloadable !== null) terminal.message(`stepfork: ${unloadable}`);
    if (contradictsSteps(report, regression)) terminal.message(`stepfork: ${CONTRADICTION}`);
    const pinned = whyPinned(expectations);
    if (pinned !== null) terminal.message(`stepfork: ${pinned}`);
    if (missing !== null) {
      terminal.message(
        `stepfork: this project lacks ${missing}, which the test imports. Install it: npm install --save-dev ${missing}`,
      );
    }
  });
  return EXIT.same;
}

/** The copy of the recording, and what tells git to keep its bytes. */
function keepForGit(copy: TraceCopy, writing: WriteOptions): readonly WrittenFile[] {
  const kept = keepTrace(copy, writing);
  const attributes = exemptFromGit(dirname(kept.path));
  return attributes === null ? [kept] : [kept, { path: attributes, written: true }];
}

const CONTRADICTION =
  'the recorded calls themselves are not the expected steps, and the test asks for both: it stays red until it is made from a recording that has these steps';

/** What to say of a test that holds what was recorded for right. */
function whyPinned(expectations: Expectations): string | null {
  if (expectations.same === true) return SAME_WARNING;
  return Object.keys(expectations).length === 0 ? PINS_ONLY_WARNING : null;
}

/** A test is made of whole runs only. */
function loadValid(bundle: string): Trace {
  const trace = loadTrace(bundle);
  const [issue] = validateBundle(bundle).issues;
  if (issue === undefined) return trace;
  throw new StepforkError(
    'invalid_trace',
    `'${bundle}' is not a whole recording: ${issue.message}. Run 'stepfork validate' on it to see all of it.`,
    { details: { code: issue.code } },
  );
}

function howToRun({ name }: Exporter, testFile: string, module: 'esm' | 'cjs'): string {
  const quoted = shellArgument(displayText(relative('', testFile)));
  if (name === 'vitest') return `run it: npx vitest run ${quoted}`;
  if (name !== 'jest') return `run it with ${displayText(name)}`;
  return `run it: ${module === 'esm' ? 'NODE_OPTIONS=--experimental-vm-modules ' : ''}npx jest ${quoted}`;
}
