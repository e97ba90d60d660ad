import { StepforkError } from '@stepfork/trace-format/write';
import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';
import { messageOf } from '../../failure.js';

export const inspectCommand = defineCommand({
  name: 'inspect',
  summary: 'Show what a recorded run did',
  operands: { bundle: A_BUNDLE },
  bundles: ['bundle'],
  flags: {
    events: { type: 'boolean', describe: 'Every event in full, one a line' },
    'errors-only': { type: 'boolean', describe: 'Only the events that failed' },
    step: { type: 'string', requiresArg: true, coerce: parseStep, describe: 'Everything about the events of one step' },
    grep: {
      type: 'string',
      requiresArg: true,
      coerce: parsePattern,
      describe: 'Only events that hold this, a regular expression; in lower case it matches upper case as well',
    },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  exclusive: [
    ['events', 'errors-only'],
    ['events', 'step'],
    ['errors-only', 'step'],
    ['grep', 'step'],
  ],
  examples: [
    ['stepfork inspect failure.sftrace', 'a summary, then the calls and what they came to'],
    ['stepfork inspect latest', 'the newest run in .stepfork/traces'],
    ['stepfork inspect failure.sftrace --step 2', 'one step in full'],
    ['stepfork inspect failure.sftrace --grep ord-1001', 'where in the run that stands'],
  ],
  run: async (given, terminal, config) => (await import('./run.js')).runInspect(given, terminal, config),
});

function parseStep(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new StepforkError('usage', `'--step' needs a whole number, not '${text}'. Steps are counted from 0.`);
}

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text, text === text.toLowerCase() ? 'iu' : 'u');
  } catch (error) {
    throw new StepforkError(
      'usage',
      `'--grep' needs a regular expression: ${messageOf(error)}. Put a backslash before what is meant as it is.`,
      { cause: error },
    );
  }
}
