import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const packCommand = defineCommand({
  name: 'pack',
  summary: 'Write a bundle as one text file',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    output: { type: 'string', requiresArg: true, describe: 'The file to write; <name>.packed.sftrace unless given' },
  },
  examples: [['stepfork pack failure.sftrace', 'one file, for a ticket or a pull request']],
  run: async (given, terminal) => (await import('./run.js')).runPack(given, terminal),
});
