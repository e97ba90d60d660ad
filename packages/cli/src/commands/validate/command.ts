import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';

export const validateCommand = defineCommand({
  name: 'validate',
  summary: 'Check that a bundle is whole and keeps every rule of the format',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    partial: { type: 'boolean', describe: 'Accept a run that has no start, or has not ended' },
    'verify-integrity': { type: 'boolean', describe: 'Check the digests of files and payloads too' },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  examples: [
    ['stepfork validate failure.sftrace --verify-integrity', 'a finished recording'],
    ['stepfork validate run.3f2a91c0.partial.sftrace --partial', 'one that is still being written'],
  ],
  run: async (given, terminal) => (await import('./run.js')).runValidate(given, terminal),
});
