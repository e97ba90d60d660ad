import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'Run an agent again against a recording, with the recorded answers',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    entrypoint: {
      type: 'string',
      demandOption: true,
      requiresArg: true,
      describe: 'The function to run, as <file>:<export>',
    },
    mode: { choices: ['frozen'] as const, default: 'frozen' as const, describe: 'frozen: no tool and no model runs' },
    'expect-output': { type: 'string', requiresArg: true, describe: 'JSON file: the output that is right' },
    input: {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: call the entrypoint with this instead of the recorded input',
    },
    order: {
      choices: ['recorded', 'strict', 'any'] as const,
      default: 'recorded' as const,
      describe: 'Which orders of calls count as the recorded one',
    },
    verbose: { type: 'boolean', describe: 'Show inputs and whole fingerprints' },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  examples: [
    ['stepfork replay failure.sftrace --entrypoint src/agent.ts:runAgent', 'does the code still do what was recorded?'],
    [
      'stepfork replay failure.sftrace --entrypoint src/agent.ts:runAgent --expect-output expected.json',
      'does it now return what it should?',
    ],
  ],
  run: async (given, terminal) => (await import('./run.js')).runReplay(given, terminal),
});
