import { defineCommand } from '../../command.js';

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'Say what two recorded runs did differently',
  operands: { baseline: 'The bundle to compare against, named as everywhere', candidate: 'The bundle to compare' },
  bundles: ['baseline', 'candidate'],
  flags: { json: { type: 'boolean', describe: 'Print one JSON document' } },
  examples: [
    ['stepfork diff failure.sftrace fixed.sftrace', 'the failing run against the fixed agent’s'],
    ['stepfork diff 599eef76 latest', 'a run by its id against the latest'],
  ],
  run: async (given, terminal) => (await import('./run.js')).runDiff(given, terminal),
});
