import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const keepCommand = defineCommand({
  name: 'keep',
  summary: 'Have prune leave a run alone',
  operands: { run: A_BUNDLE },
  bundles: ['run'],
  flags: { undo: { type: 'boolean', describe: 'Keep it no longer' } },
  examples: [
    ['stepfork keep 599eef76', ''],
    ['stepfork keep 599eef76 --undo', 'prune may remove it again'],
  ],
  run: async (given, terminal) => (await import('./run.js')).runKeep(given, terminal),
});
