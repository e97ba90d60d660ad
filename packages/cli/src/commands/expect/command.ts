import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const expectCommand = defineCommand({
  name: 'expect',
  summary: 'Write the recorded output to a file, to be edited to what is right',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    output: { type: 'string', requiresArg: true, default: 'expected.json', describe: 'The JSON file to write' },
    overwrite: { type: 'boolean', describe: 'Replace the file if it exists and says something else' },
  },
  examples: [
    ['stepfork expect failure.sftrace', 'expected.json, to be edited and then given to export --expect-output'],
  ],
  run: async (given, terminal) => (await import('./run.js')).runExpect(given, terminal),
});
