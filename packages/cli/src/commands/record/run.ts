import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { displayText, isBundlePath, isThere, newRunId, StepforkError } from '@stepfork/trace-format/write';
import type { ExitCode } from '../../exit-code.js';
import { messageOf } from '../../failure.js';
import { holdOutput } from '../../hold-output.js';
import { projectFolder } from '../../project-folder.js';
import type { Terminal } from '../../terminal.js';
import type { RecordGiven } from './command.js';
import { isInForeground } from './from-terminal.js';
import { whatIsLeft } from './leftover.js';

const PACKAGE = '@stepfork/register';

/** Runs the program with its own terminal, and ends as it does. */
export async function runRecord({ command, ...given }: RecordGiven, terminal: Terminal): Promise<ExitCode> {
  const [program, ...args] = command;
  const taken = join(tmpdir(), `stepfork-${newRunId()}.taken`);
  const env = { ...environmentOf(given, await findRegister()), STEPFORK_TAKEN: taken };
  if (given.output !== undefined) requireBundleName(given.output);
  const release = given.output === undefined ? () => {} : holdOutput(given.output);
  try {
    requireFree(given);
    const since = Date.now();
    const { exitCode, ending } = await runProgram(program, args, env);
    const left = ending === null ? null : whatIsLeft(given.output, since, ending);
    if (left !== null) terminal.message(`stepfork: ${left}`);
    if (!isThere(taken) && !isDisabled()) terminal.message(`stepfork: ${NOBODY}`);
    return exitCode;
  } finally {
    rmSync(taken, { force: true });
    release();
  }
}

/** Of a program that is none of Node's, starts none, or clears the environment of what it starts. */
const NOBODY =
  'nothing was recorded: no program of Node ran that could be. Name the program itself, as in: stepfork record -- node agent.js';

const isDisabled = (): boolean => process.env.STEPFORK_DISABLED === '1';

interface ProgramEnd {
  readonly exitCode: ExitCode;
  /** What ended it before its end, itself or a program that it had started. */
  readonly ending: string | null;
}

async function runProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<ProgramEnd> {
  // Where a program that npm installed is a script of the shell.
  const child = spawn(program, args, { env, stdio: 'inherit', shell: process.platform === 'win32' });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // A terminal's Ctrl-C reaches the program as well, which may take its time; a supervisor's signal does not.
  const interrupt = (signal: NodeJS.Signals): void => {
    if (process.platform !== 'win32' && !isInForeground()) forward(signal);
  };
  process.on('SIGINT', interrupt).on('SIGTERM', forward).on('SIGHUP', forward);
  try {
    const [code, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((end, fail) => {
      child.on('error', (cause) => fail(unstartable(program, cause)));
      child.on('close', (...ended) => end(ended));
    });
    // What the program ended with is what its caller waits for.
    const exitCode = (signal === null ? (code ?? 0) : 128 + constants.signals[signal]) as ExitCode;
    return { exitCode, ending: signal ?? (exitCode > 128 ? 'a signal' : null) };
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', forward).off('SIGHUP', forward);
  }
}

/** The program would say it as the recorder does, which knows no flags. */
function requireBundleName(output: string): void {
  if (isBundlePath(output)) return;
  const problem = `${output}: the name of a trace bundle must end in '.sftrace'; nothing was run`;
  throw new StepforkError('not_a_bundle', problem, { details: { file: output } });
}

function requireFree({ output, overwrite }: Omit<RecordGiven, 'command'>): void {
  if (output === undefined || overwrite === true || !isThere(resolve(output))) return;
  const advice = 'pass --overwrite to replace it, or name another place';
  throw new StepforkError('output_exists', `${output} exists already; ${advice}`, { details: { file: output } });
}

/** Every process of Node that the program is or starts finds it, and the first one that is no mere launcher takes it. */
function environmentOf(
  { agent, output, overwrite }: Omit<RecordGiven, 'command'>,
  register: string,
): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: options = '', STEPFORK_RECORDED: _outer, ...env } = process.env;
  return {
    ...env,
    NODE_OPTIONS: `${options} --import=${register}`.trim(),
    ...(agent === undefined ? {} : { STEPFORK_AGENT: agent }),
    ...(output === undefined ? {} : { STEPFORK_OUTPUT: resolve(output) }),
    ...(overwrite === true ? { STEPFORK_OVERWRITE: '1' } : {}),
  };
}

/** The project's own comes first: it is of the release that the project's recorder is of. */
async function findRegister(): Promise<string> {
  const { createJiti } = await import('jiti');
  for (const place of [pathToFileURL(`${projectFolder()}/`).href, import.meta.url]) {
    const found = createJiti(place).esmResolve(PACKAGE, { try: true });
    if (found !== undefined) return found;
  }
  const advice = `Install it: npm install --save-dev ${PACKAGE}`;
  throw new StepforkError('register_missing', `this project has no '${PACKAGE}', which records. ${advice}`);
}

function unstartable(program: string, cause: Error): StepforkError {
  const message = `'${displayText(program)}' could not be started: ${messageOf(cause)}. Check its name and the PATH.`;
  return new StepforkError('command_failed', message, { cause });
}
