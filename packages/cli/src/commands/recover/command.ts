import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const recoverCommand = defineCommand({
  name: 'recover',
  summary: 'Make a bundle of a recording whose process was killed',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  wanted: 'unfinished',
  flags: {},
  examples: [
    ['stepfork recover run.3f2a91c0.partial.sftrace', ''],
    ['stepfork recover latest', 'the newest in .stepfork/traces'],
  ],
  run: async (given, terminal) => (await import('./run.js')).runRecover(given, terminal),
});
