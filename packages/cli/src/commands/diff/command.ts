import { defineCommand } from '../../command.js';

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'Say what two recorded runs did differently',
  operands: { baseline: 'The bundle to compare against, named as everywhere', candidate: 'The bundle to compare' },
  bundles: ['baseline', 'candidate'],
  flags: {
    ignore: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'What of an input is not compared, as tool:search=/now; may be given again',
    },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  examples: [
    ['stepfork diff failure.sftrace fixed.sftrace', 'the failing run against the fixed agent’s'],
    ['stepfork diff 599eef76 latest', 'a run by its id against the latest'],
    ['stepfork diff monday.sftrace tuesday.sftrace --ignore tool:search=/now', 'the time of a search means nothing'],
  ],
  run: async (given, terminal, config) => (await import('./run.js')).runDiff(given, terminal, config),
});
