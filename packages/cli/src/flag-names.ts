import type { ReplayReport } from '@stepfork/replay';

/** How what the libraries call an option is given to this program. */
const GIVEN_BY: Readonly<Record<string, string>> = {
  allow: '--allow',
  allowLiveTools: '--allow-live-tool',
  ignore: '--ignore',
  input: '--input',
  liveLlms: '--live-llm',
  mode: '--mode',
  now: '--now',
  observe: '--observe',
  order: '--order',
  record: '--record',
  repeat: '--repeat',
  skipSleeps: '--skip-sleeps',
  match: "'match' of the configuration",
  normalize: "'normalize' of the configuration",
  redact: "'redact' of the configuration",
};

/** `option allow`; what a traced tool calls its `option input` is no option of ours. */
const OPTION = /(?<!'s )\boption (\w+)/g;

/** `option ignore leaves it out: ignore: { 'tool:search': ['/now'] }`, where nothing in it is escaped. */
const IGNORE_RULE = /option ignore leaves it out: ignore: \{ '([^'\\]+)': \[((?:'[^'\\]*'(?:, )?)+)\] \}/;

/** The rule as it is given here, one flag for each place. */
function ruleInFlags(_rule: string, selector: string, places: string): string {
  const flags = [...places.matchAll(/'([^']*)'/g)].map(([, place]) => `--ignore '${selector}=${place}'`);
  return `${flags.join(' ')} leaves it out`;
}

/** A message of a library, in the words of this program: flags for options. */
export function inFlags(message: string): string {
  return message
    .replace('pass overwrite to', 'pass --overwrite to')
    .replace(IGNORE_RULE, ruleInFlags)
    .replace("option order accepts any: order: 'any'", '--order any accepts any')
    .replace(OPTION, (whole, name: string) => (Object.hasOwn(GIVEN_BY, name) ? (GIVEN_BY[name] as string) : whole));
}

/** A report whose advice is for the command line. What the agent itself threw or returned stays as it is. */
export function reportInFlags(report: ReplayReport): ReplayReport {
  const { divergence, error, notes } = report;
  return {
    ...report,
    notes: notes.map(inFlags),
    divergence: divergence === null ? null : { ...divergence, message: inFlags(divergence.message) },
    error: error?.name === 'StepforkError' ? { ...error, message: inFlags(error.message) } : error,
  };
}
