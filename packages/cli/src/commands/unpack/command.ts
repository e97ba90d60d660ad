import { defineCommand } from '../../command.js';

export const unpackCommand = defineCommand({
  name: 'unpack',
  summary: 'Write a packed bundle as the folder it was',
  operands: { file: 'Path of a packed .sftrace bundle, a file' },
  bundles: ['file'],
  flags: {
    output: {
      type: 'string',
      requiresArg: true,
      describe: 'The folder to write; <name>.sftrace beside it unless given',
    },
  },
  examples: [['stepfork unpack failure.packed.sftrace --output copy.sftrace', '']],
  run: async (given, terminal) => (await import('./run.js')).runUnpack(given, terminal),
});
