import { writeFileSync } from 'node:fs';
import { StepforkError } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';
import { runCommand } from './install.js';
import { type InitPlan, planInit } from './plan.js';
import { type Project, type Runner, readProject } from './project.js';

interface Given {
  readonly runner: Runner | undefined;
  readonly yes: boolean | undefined;
  readonly dryRun: boolean | undefined;
}

export async function runInit(given: Given, terminal: Terminal): Promise<ExitCode> {
  const project = readProject();
  const runner = given.runner ?? project.runner ?? 'vitest';
  const plan = planInit(project, runner);
  terminal.result(describe(project, runner));
  for (const line of plan.kept) terminal.result(`left alone: ${line} is there already`);
  if (plan.installs.length + plan.files.length === 0) {
    terminal.result('nothing is to be done');
    return EXIT.same;
  }
  const does = given.yes === true;
  for (const line of steps(plan, does ? '' : 'would ')) terminal.result(line);
  if (!does && !(given.dryRun !== true && (await agrees(terminal)))) {
    terminal.result('nothing was done yet: --yes does it');
    return EXIT.same;
  }
  await carryOut(plan);
  terminal.result(
    `done; the first lines of ${plan.example} say how to go on, and 'stepfork --help' what else there is`,
  );
  return EXIT.same;
}

function describe({ runner: found, typescript, manager, managerFrom }: Project, runner: Runner): string {
  const language = typescript ? 'TypeScript' : 'JavaScript';
  const has = found === runner ? runner : `${runner}${found === null ? ', as no test runner was found' : ''}`;
  return `this project: ${language}, ${manager}${managerFrom === null ? '' : ` (${managerFrom})`}, ${has}`;
}

function steps({ installs, files }: InitPlan, would: string): readonly string[] {
  return [
    ...installs.map((words) => `${would}run ${words.join(' ')}`),
    ...files.map(({ path }) => `${would}write ${path}`),
  ];
}

async function agrees(terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask('Do this? [y/N] ');
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}

/** Packages first: a project whose packages cannot be installed is left as it was. */
async function carryOut({ installs, files }: InitPlan): Promise<void> {
  for (const words of installs) await runCommand(words);
  for (const { path, text } of files) {
    try {
      // What came there in the meantime stays.
      writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new StepforkError('output_exists', `${path} is there already. Move it away, and run it again.`);
    }
  }
}
