import { dirname, relative, resolve } from 'node:path';
import {
  buildCase,
  defaultTestFile,
  detectTarget,
  type Exporter,
  PINS_ONLY_WARNING,
  SAME_WARNING,
  traceDigest,
  writeRendered,
} from '@stepfork/exporter-kit';
import { replay } from '@stepfork/replay';
import { displayText, loadTrace, StepforkError, type Trace, validateBundle } from '@stepfork/trace-format';
import { type Entrypoint, findEntrypoint, loadEntrypoint } from '../../entrypoint.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { ignoredPlaces } from '../../ignored-places.js';
import { readJsonFile } from '../../json-file.js';
import { findExporter, renderWith } from '../../plugins.js';
import type { Terminal } from '../../terminal.js';
import { withUserCode } from '../../user-code.js';
import { type ExpectationFlags, type Expectations, readExpectations } from './expectations.js';
import { requireFreePlace } from './free-place.js';
import { contradictsSteps, describeReplay, requireMatch } from './outlook.js';
import { whyIgnored } from './runner-pattern.js';

interface Given extends ExpectationFlags {
  readonly bundle: string;
  readonly to: string;
  readonly entrypoint: string;
  readonly input: string | undefined;
  readonly ignore: readonly string[] | undefined;
  readonly output: string | undefined;
  readonly overwrite: boolean | undefined;
  readonly force: boolean | undefined;
}

/** What can be found wrong with the arguments is, before the first line of the user's code runs. */
export async function runExport(given: Given, terminal: Terminal): Promise<ExitCode> {
  const entrypoint = findImportable(given.entrypoint);
  const trace = loadValid(given.bundle);
  const digest = traceDigest(given.bundle);
  const expectations = readExpectations(given);
  const input = given.input === undefined ? {} : { input: readJsonFile(given.input, 'input') };
  const ignore = given.ignore === undefined ? {} : { ignore: ignoredPlaces(given.ignore) };
  await withUserCode(entrypoint.text, terminal, { json: false }, async () => {
    const { exporter, missing } = await findExporter(given.to);
    const target = detectTarget(dirname(given.output ?? '.'), exporter.name, {
      entrypointFile: entrypoint.file,
      ...(given.output === undefined ? {} : { testFile: given.output }),
    });
    const testFile = resolve(given.output ?? defaultTestFile(given.bundle, exporter, target));
    const regression = buildCase({
      trace,
      tracePath: given.bundle,
      ...(digest === null ? {} : { traceDigest: digest }),
      entrypointFile: entrypoint.file,
      exportName: entrypoint.exportName,
      testFile,
      target,
      ...input,
      ...ignore,
      ...expectations,
    });
    const rendered = renderWith(exporter, regression);
    const folder = dirname(testFile);
    const overwrite = given.overwrite === true;
    for (const { path } of rendered) requireFreePlace(resolve(folder, path), overwrite);
    const report = await replay(trace, await loadEntrypoint(entrypoint), { ...input, ...ignore });
    if (given.force !== true) requireMatch(entrypoint.text, report);
    const files = writeRendered(rendered, folder, { overwrite });

    for (const line of describeReplay(entrypoint.text, report, regression)) terminal.result(line);
    for (const file of files) terminal.result(`wrote ${displayText(relative('', file))}`);
    terminal.result(target.reason);
    terminal.result(howToRun(exporter, testFile, target.module));
    const ignored = whyIgnored(exporter.name, relative('', testFile));
    if (ignored !== null) terminal.message(`stepfork: ${displayText(ignored)}`);
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

const CONTRADICTION =
  'the recorded calls themselves are not the expected steps, and the test asks for both: it stays red until it is made from a recording that has these steps';

/** What to say of a test that holds what was recorded for right. */
function whyPinned(expectations: Expectations): string | null {
  if (expectations.same === true) return SAME_WARNING;
  return Object.keys(expectations).length === 0 ? PINS_ONLY_WARNING : null;
}

/** A test imports its entrypoint by name, so a member of an export will not do. */
function findImportable(text: string): Entrypoint {
  const entrypoint = findEntrypoint(text);
  if (entrypoint.members.length === 0) return entrypoint;
  throw new StepforkError(
    'bad_entrypoint',
    `a test cannot import '${text}', a member of an export. Export the function itself from its file.`,
    { details: { entrypoint: text } },
  );
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
  const file = displayText(relative('', testFile));
  const quoted = /[^\w./-]/.test(file) ? JSON.stringify(file) : file;
  if (name === 'vitest') return `run it: npx vitest run ${quoted}`;
  if (name !== 'jest') return `run it with ${displayText(name)}`;
  return `run it: ${module === 'esm' ? 'NODE_OPTIONS=--experimental-vm-modules ' : ''}npx jest ${quoted}`;
}
