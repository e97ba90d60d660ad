import { StepforkError } from '@stepfork/trace-format/write';
import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';
import { parsePlace } from './place.js';

export const scrubCommand = defineCommand({
  name: 'scrub',
  summary: 'Remove from a bundle what no rule had caught',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    pointer: {
      type: 'string',
      array: true,
      requiresArg: true,
      coerce: (places: readonly string[]) => places.map(parsePlace),
      describe:
        'A place, as <event_id>:<json-pointer>; may be given again. What stands there goes everywhere else, too',
    },
    'value-from-stdin': { type: 'boolean', describe: 'Read a text from stdin: it goes wherever it stands' },
    output: {
      type: 'string',
      requiresArg: true,
      describe: 'Where the scrubbed bundle is written; it replaces the other unless given',
    },
  },
  examples: [
    ['stepfork scrub failure.sftrace --pointer evt_4e46c56f…:/output/address', 'in place'],
    [
      'stepfork scrub failure.sftrace --value-from-stdin --output clean.sftrace < secret.txt',
      'a copy; the bundle stays',
    ],
  ],
  check: ({ pointer, valueFromStdin }) => {
    if (pointer !== undefined || valueFromStdin) return;
    throw new StepforkError(
      'usage',
      "'scrub' needs --pointer or --value-from-stdin. Run 'stepfork scrub --help' to see what it takes.",
    );
  },
  run: async (given, terminal) => (await import('./run.js')).runScrub(given, terminal),
});
