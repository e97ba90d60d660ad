import { defineCommand } from '../../command.js';

export const initCommand = defineCommand({
  name: 'init',
  summary: 'Set a project up: packages, a configuration, an example',
  operands: {},
  flags: {
    runner: {
      choices: ['vitest', 'jest'] as const,
      requiresArg: true,
      describe: 'The test runner; the one that the project has unless given',
    },
    yes: { type: 'boolean', describe: 'Do it without asking' },
    'dry-run': { type: 'boolean', describe: 'Only say what would be done' },
  },
  exclusive: [['yes', 'dry-run']],
  examples: [
    ['stepfork init', 'what would be done; on a terminal it asks whether to do it'],
    ['stepfork init --yes --runner jest', ''],
  ],
  run: async (given, terminal) => (await import('./run.js')).runInit(given, terminal),
});
