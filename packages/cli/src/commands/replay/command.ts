import { StepforkError } from '@stepfork/trace-format/write';
import { A_BUNDLE } from '../../a-bundle.js';
import { defineCommand } from '../../command.js';
import { parseSpan } from '../../traces/units.js';

const NO_MANUAL =
  "mode manual needs a function that decides on each call: call replay(…, { mode: 'manual', approve }) of @stepfork/replay";

/** A day, or a moment, as ISO 8601 writes it, that is in the calendar. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10))
  );
}

/** `30s`, `5min`, and as most runners have it, a number of seconds: milliseconds. */
function parseTimeout(text: string): number {
  const span = parseSpan(/^\d+(?:\.\d+)?$/.test(text) ? `${text}s` : text);
  // What a timer of Node's can wait.
  if (span !== null && span > 0 && span < 2 ** 31) return span;
  throw usage(`'--timeout' needs a span of time, not '${text}'. Write it as 30s, 5min, or a number of seconds.`);
}

const usage = (message: string): StepforkError => new StepforkError('usage', message);

export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'Run an agent again against a recording, with the recorded answers',
  operands: { bundle: `${A_BUNDLE}; or a folder of bundles, all of which are replayed` },
  bundles: ['bundle'],
  runsCode: true,
  flags: {
    entrypoint: {
      type: 'string',
      requiresArg: true,
      describe: "The function to run, as <file>:<export>; the one that stepfork.config.ts names for the run's agent",
    },
    mode: {
      choices: ['frozen', 'hybrid', 'live', 'forbidden', 'manual'] as const,
      default: 'frozen' as const,
      describe: 'Which calls really run; frozen: none',
    },
    'live-llm': {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Of --mode hybrid: a model that really runs; may be given again',
    },
    'allow-live-tool': {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'Of --mode live: a tool that may run; may be given again',
    },
    ignore: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'What of an input is not compared, as tool:search=/now; may be given again',
    },
    'expect-output': { type: 'string', requiresArg: true, describe: 'JSON file: the output that is right' },
    input: {
      type: 'string',
      requiresArg: true,
      describe: 'JSON file: call the entrypoint with this instead of the recorded input',
    },
    order: {
      choices: ['recorded', 'strict', 'any'] as const,
      default: 'recorded' as const,
      describe: 'Which orders of calls count as the recorded one',
    },
    allow: {
      type: 'string',
      array: true,
      requiresArg: true,
      describe: 'A host or command that the agent may reach besides its instrumented calls; may be given again',
    },
    observe: {
      type: 'boolean',
      describe: 'List what the run used that is not frozen: clock, randomness, variables, files',
    },
    'skip-sleeps': { type: 'boolean', describe: "End the agent's own timers at once, in their order" },
    now: {
      type: 'string',
      requiresArg: true,
      describe: "The agent's clock: recorded, real, or the date at which it begins",
    },
    record: {
      type: 'string',
      requiresArg: true,
      describe: 'Write the replayed run as a bundle of its own, to be diffed',
    },
    overwrite: { type: 'boolean', describe: 'Of --record: replace a bundle that is there' },
    agent: { type: 'string', requiresArg: true, describe: 'Of a folder: only runs of this agent' },
    timeout: {
      type: 'string',
      requiresArg: true,
      coerce: parseTimeout,
      describe: 'Kill a run that takes longer, as 30s, 5min, or a number of seconds',
    },
    repeat: { type: 'number', requiresArg: true, describe: 'Run the agent so many times; all runs must agree' },
    verbose: { type: 'boolean', describe: 'Show inputs and whole fingerprints' },
    json: { type: 'boolean', describe: 'Print one JSON document' },
  },
  exclusive: [['record', 'repeat']],
  examples: [
    ['stepfork replay failure.sftrace --entrypoint src/agent.ts:runAgent', 'does the code still do what was recorded?'],
    ['stepfork replay latest', 'the newest run, with the entrypoint that stepfork.config.ts names for its agent'],
    ['stepfork replay .stepfork/traces --entrypoint src/agent.ts:runAgent', 'and of all runs in a folder?'],
    ['stepfork replay .stepfork/traces --agent triage --timeout 30s', 'of one agent, each of them at most so long'],
    [
      'stepfork replay failure.sftrace --entrypoint src/agent.ts:runAgent --expect-output expected.json',
      'does it now return what it should?',
    ],
  ],
  check: ({ mode, liveLlm, allowLiveTool, now, record, overwrite, repeat }) => {
    if (mode === 'manual') throw usage(NO_MANUAL);
    if (mode === 'hybrid' && liveLlm === undefined) throw usage('--mode hybrid needs --live-llm <model>');
    if (now !== undefined && now !== 'recorded' && now !== 'real' && !isDate(now)) {
      throw usage('--now needs recorded, real or a date like 2026-01-31T12:00:00Z');
    }
    if (overwrite !== undefined && record === undefined) throw usage('--overwrite is for --record');
    if (repeat !== undefined && (!Number.isInteger(repeat) || repeat < 1)) {
      throw usage('--repeat needs a whole number above 0');
    }
    if (mode !== 'hybrid' && liveLlm !== undefined) throw usage('--live-llm is for --mode hybrid');
    if (mode !== 'live' && allowLiveTool !== undefined) throw usage('--allow-live-tool is for --mode live');
  },
  run: async (given, terminal, config) => (await import('./run.js')).runReplay(given, terminal, config),
});
