import { defineCommand } from '../../command.js';

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'Say what two recorded runs did differently',
  operands: { baseline: 'Path of the bundle to compare against', candidate: 'Path of the bundle to compare' },
  flags: { json: { type: 'boolean', describe: 'Print one JSON document' } },
  examples: [['stepfork diff failure.sftrace fixed.sftrace', 'the failing run against the fixed agent’s']],
  run: async (given, terminal) => (await import('./run.js')).runDiff(given, terminal),
});
