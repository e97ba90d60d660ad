import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const scanCommand = defineCommand({
  name: 'scan',
  summary: 'Look for secrets in everything a bundle holds',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: { json: { type: 'boolean', describe: 'Print one JSON document' } },
  examples: [['stepfork scan failure.sftrace', 'before it is committed, or sent to somebody']],
  run: async (given, terminal, config) => (await import('./run.js')).runScan(given, terminal, config),
});
