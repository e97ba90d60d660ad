import { StepforkError } from '@stepfork/trace-format/write';
import { defineCommand } from '../../command.js';
import { parseTag } from '../../traces/selection.js';
import { parseMoment } from '../../traces/units.js';

export const listCommand = defineCommand({
  name: 'list',
  summary: 'List recorded runs, the newest first',
  operands: {},
  optional: { dir: "The folder of bundles; the project's, .stepfork/traces, unless given" },
  flags: {
    failed: { type: 'boolean', describe: 'Only runs that failed' },
    agent: { type: 'string', requiresArg: true, describe: 'Only runs of this agent' },
    tag: {
      type: 'string',
      array: true,
      requiresArg: true,
      coerce: (tags: readonly string[]) => tags.map(parseTag),
      describe: 'Only runs with this tag, as <name>=<value>; may be given again',
    },
    since: {
      type: 'string',
      requiresArg: true,
      coerce: parseSince,
      describe: 'Only runs of the last 30min, 12h, 2d, 1w, or since a date or time by ISO 8601',
    },
    limit: { type: 'string', requiresArg: true, coerce: parseLimit, describe: 'At most so many' },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  examples: [
    ['stepfork list --failed --since 1d', 'what went wrong since yesterday'],
    ['stepfork list --agent refund --tag release=1.4 --limit 10', ''],
    ['stepfork list traces --json', 'another folder, for a program'],
  ],
  run: async (given, terminal, config) => (await import('./run.js')).runList(given, terminal, config),
});

function parseSince(text: string): number {
  const moment = parseMoment(text, Date.now());
  if (moment !== null) return moment;
  throw new StepforkError(
    'usage',
    `'--since' needs a span or a time, not '${text}'. Write it as 2d, 12h, 30min, 2026-11-29 or 2026-11-29T22:00:00Z.`,
  );
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new StepforkError('usage', `'--limit' needs a whole number above 0, not '${text}'. Write it as 10.`);
}
