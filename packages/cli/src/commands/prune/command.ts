import { StepforkError } from '@stepfork/trace-format/write';
import { defineCommand } from '../../command.js';
import { parseTag } from '../../traces/selection.js';
import { parseSize, parseSpan } from '../../traces/units.js';

export const pruneCommand = defineCommand({
  name: 'prune',
  summary: 'Remove old runs; says which ones, until --yes is given',
  operands: {},
  optional: { dir: "The folder of bundles; the project's, .stepfork/traces, unless given" },
  flags: {
    'keep-last': {
      type: 'string',
      requiresArg: true,
      coerce: parseCount,
      describe: 'All but the newest so many go',
    },
    'older-than': { type: 'string', requiresArg: true, coerce: parseAge, describe: 'Runs older than 30d, 12h, 1w go' },
    'max-size': {
      type: 'string',
      requiresArg: true,
      coerce: parseBytes,
      describe: 'The oldest go until no more than 1GB, 500MB is left',
    },
    failed: { type: 'boolean', describe: 'Look at failed runs only' },
    completed: { type: 'boolean', describe: 'Look at completed runs only' },
    agent: { type: 'string', requiresArg: true, describe: 'Look at runs of this agent only' },
    tag: {
      type: 'string',
      array: true,
      requiresArg: true,
      coerce: (tags: readonly string[]) => tags.map(parseTag),
      describe: 'Look at runs with this tag only, as <name>=<value>; may be given again',
    },
    yes: { type: 'boolean', describe: 'Remove them' },
    'dry-run': { type: 'boolean', describe: 'Only say which; so it is unless --yes is given' },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  exclusive: [
    ['yes', 'dry-run'],
    ['failed', 'completed'],
  ],
  examples: [
    ['stepfork prune --keep-last 100 --older-than 30d', 'which runs would go'],
    ['stepfork prune --completed --older-than 2d --yes', 'remove them; what failed stays'],
    ['stepfork prune --max-size 1GB --yes', ''],
  ],
  check: ({ keepLast, olderThan, maxSize }) => {
    if (keepLast !== undefined || olderThan !== undefined || maxSize !== undefined) return;
    throw new StepforkError(
      'usage',
      "'prune' needs --keep-last, --older-than or --max-size. Run 'stepfork prune --help' to see what it takes.",
    );
  },
  run: async (given, terminal, config) => (await import('./run.js')).runPrune(given, terminal, config),
});

function parseCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StepforkError('usage', `'--keep-last' needs a whole number, not '${text}'. Write it as 100.`);
}

function parseAge(text: string): number {
  const span = parseSpan(text);
  if (span !== null) return span;
  throw new StepforkError('usage', `'--older-than' needs a span of time, not '${text}'. Write it as 30d, 12h or 1w.`);
}

function parseBytes(text: string): number {
  const size = parseSize(text);
  if (size !== null) return size;
  throw new StepforkError('usage', `'--max-size' needs a size, not '${text}'. Write it as 1GB, 500MB or 64KiB.`);
}
