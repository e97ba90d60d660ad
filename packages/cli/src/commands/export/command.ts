import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';
import { expectedError } from './expected-error.js';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'Write a regression test from a recording',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    to: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'vitest, jest, or an exporter of your own: a package name or a file',
    },
    entrypoint: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'The function that the test runs, as <file>:<export>',
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
    ignore: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'What of an input the test does not compare, as tool:search=/now; may be given again',
    },
    output: { type: 'string', requiresArg: true, describe: 'The test file to write' },
    overwrite: { type: 'boolean', describe: 'Replace the test file, and what lies beside it, if it exists' },
    force: { type: 'boolean', describe: 'Write the test although its calls are not those that the code makes now' },
  },
  exclusive: [
    ['expect-output', 'expect-match'],
    ['expect-output', 'expect-error'],
    ['expect-output', 'expect-same'],
    ['expect-match', 'expect-error'],
    ['expect-match', 'expect-same'],
    ['expect-error', 'expect-same'],
  ],
  examples: [
    [
      'stepfork export failure.sftrace --to vitest --entrypoint src/agent.ts:runAgent --expect-output expected.json',
      'a test that is red until the agent returns what is expected',
    ],
    ['stepfork export failure.sftrace --to jest --entrypoint src/agent.ts:runAgent --output test/agent.test.mjs', ''],
  ],
  check: ({ expectError }) => {
    if (expectError !== undefined) expectedError(expectError);
  },
  run: async (given, terminal) => (await import('./run.js')).runExport(given, terminal),
});
