import { defineCommand } from '../../command.js';

export const recoverCommand = defineCommand({
  name: 'recover',
  summary: 'Make a bundle of a recording whose process was killed',
  operands: { bundle: 'Path of the .partial.sftrace bundle that was left behind' },
  flags: {},
  examples: [['stepfork recover run.3f2a91c0.partial.sftrace', '']],
  run: async (given, terminal) => (await import('./run.js')).runRecover(given, terminal),
});
