import { StepforkError } from '@stepfork/trace-format/write';
import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';
import { expectedError } from './expected-error.js';

function isClock(text: string): boolean {
  if (text === 'recorded' || text === 'real') return true;
  return /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

const usage = (message: string): StepforkError => new StepforkError('usage', message);

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write a regression test from a recording',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  runsCode: true,
  flags: {
    to: {
      type: 'string',
      requiresArg: true,
      describe:
        'vitest, jest, or an exporter of your own: a package name or a file; the one that stepfork.config.ts names',
    },
    entrypoint: {
      type: 'string',
      requiresArg: true,
      describe: 'The function that the test runs, as <file>:<export>; the file may be a path alias of the project',
    },
    'expect-output': { type: 'string', requiresArg: true, describe: 'JSON file: the output that is right' },
    'expect-match': {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: what of the output is right; the agent may return more properties',
    },
    'expect-error': {
      type: 'string',
      requiresArg: true,
      describe: 'The error that is right, as <name> or <name>:<part of its message>',
    },
    'expect-same': { type: 'boolean', describe: 'What was recorded is right' },
    'expect-trajectory': {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: what the calls should be; alone, nothing is said of the output',
    },
    input: {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: what the test calls the agent with, instead of the recorded input',
    },
    mode: {
      choices: ['frozen', 'hybrid', 'live', 'forbidden'] as const,
      default: 'frozen' as const,
      describe: 'Which calls of the test really run; frozen: none',
    },
    'live-llm': {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Of --mode hybrid: a model that really runs; may be given again',
    },
    'allow-live-tool': {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Of --mode live: a tool that may run; may be given again',
    },
    order: {
      choices: ['recorded', 'strict', 'any'] as const,
      default: 'recorded' as const,
      describe: 'Which orders of calls count as the recorded one',
    },
    allow: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'A host or command that the agent may reach besides its instrumented calls; may be given again',
    },
    now: {
      type: 'string',
      requiresArg: true,
      describe: "The agent's clock: recorded, real, or the date at which it begins",
    },
    'skip-sleeps': { type: 'boolean', describe: "End the agent's own timers at once, in their order" },
    ignore: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'What of an input the test does not compare, as tool:search=/now; may be given again',
    },
    option: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: "An option of the exporter's own, as name=value; JSON, or else a text; may be given again",
    },
    output: { type: 'string', requiresArg: true, describe: 'The test file to write' },
    module: {
      choices: ['esm', 'cjs'] as const,
      describe: 'What a jest test is run as, where the project shows something else',
    },
    copy: {
      type: 'boolean',
      default: true,
      describe: 'Copy the recording beside the test, into __traces__; --no-copy: the test reads it where it lies',
    },
    'trace-dir': { type: 'string', requiresArg: true, describe: 'The folder to copy the recording to' },
    overwrite: {
      type: 'boolean',
      describe: 'Replace the test file, and what lies beside it, if it exists and says something else',
    },
    force: { type: 'boolean', describe: 'Write the test although its calls are not those that the code makes now' },
  },
  suggested: { to: ['vitest', 'jest'] },
  exclusive: [
    ['expect-output', 'expect-match'],
    ['expect-output', 'expect-error'],
    ['expect-match', 'expect-error'],
    ['expect-error', 'expect-same'],
  ],
  examples: [
    [
      'stepfork export failure.sftrace --to vitest --entrypoint src/agent.ts:runAgent --expect-output expected.json',
      'a test that is red until the agent returns what is expected',
    ],
    ['stepfork export failure.sftrace --to jest --entrypoint src/agent.ts:runAgent --output test/agent.test.mjs', ''],
  ],
  check: ({ expectError, mode, liveLlm, allowLiveTool, allow, now, copy, traceDir, to, module }) => {
    if (expectError !== undefined) expectedError(expectError);
    if (mode === 'hybrid' && liveLlm === undefined) throw usage('--mode hybrid needs --live-llm <model>');
    if (mode !== 'hybrid' && liveLlm !== undefined) throw usage('--live-llm is for --mode hybrid');
    if (mode !== 'live' && allowLiveTool !== undefined) throw usage('--allow-live-tool is for --mode live');
    if (mode === 'live' && allow !== undefined) throw usage('--allow is not for --mode live, which stops nothing');
    if (now !== undefined && !isClock(now)) {
      throw usage('--now needs recorded, real or a date like 2026-01-31T12:00:00Z');
    }
    if (!copy && traceDir !== undefined) throw usage('--no-copy and --trace-dir cannot be given together');
    if (module === 'cjs' && to === 'vitest') throw usage('--module cjs is for jest: vitest loads ES modules');
  },
  run: async (given, terminal, config) => (await import('./run.js')).runExport(given, terminal, config),
});
