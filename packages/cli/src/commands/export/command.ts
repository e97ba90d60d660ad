import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

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
    overwrite: { type: 'boolean', describe: 'Replace the test file if it exists' },
  },
  examples: [
    [
      'stepfork export failure.sftrace --to vitest --entrypoint src/agent.ts:runAgent --expect-output expected.json',
      'a test that is red until the agent returns what is expected',
    ],
    ['stepfork export failure.sftrace --to jest --entrypoint src/agent.ts:runAgent --output test/agent.test.mjs', ''],
  ],
  run: async (given, terminal) => (await import('./run.js')).runExport(given, terminal),
});
