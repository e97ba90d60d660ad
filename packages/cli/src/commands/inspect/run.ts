import { displayText, StepforkError } from '@stepfork/trace-format';
import type { ConfigSource } from '../../config/config-source.js';
import { redactionOf } from '../../config/redaction.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { jsonDocument } from '../../json-text.js';
import type { Terminal } from '../../terminal.js';
import { whileReading } from '../../while-reading.js';
import { formatEvents } from './event-table.js';
import { formatMatches, matchesIn } from './grep.js';
import { foundInTime } from './in-time.js';
import { formatStep } from './step.js';
import { formatSummary } from './summary.js';
import { formatTimeline } from './timeline.js';
import { type EventView, type RunView, readRun } from './view.js';

interface Given {
  readonly bundle: string;
  readonly events: boolean | undefined;
  readonly errorsOnly: boolean | undefined;
  readonly step: number | undefined;
  readonly grep: RegExp | undefined;
  readonly json: boolean | undefined;
}

export async function runInspect(given: Given, terminal: Terminal, config: ConfigSource): Promise<ExitCode> {
  const rules = redactionOf(await config()) ?? {};
  const shown = await whileReading([given.bundle], async () => {
    const view = await readRun(given.bundle, rules);
    const events = select(view, given);
    return given.json ? documentOf(given.bundle, view, events) : [textOf(given, view, events, terminal)];
  });
  for (const part of shown) {
    terminal.result(part);
    await terminal.drained();
  }
  return EXIT.same;
}

/** The events asked for. Errors (B261): what ended badly, and the error events that say how. */
function select({ events }: RunView, { bundle, step, errorsOnly, grep }: Given): readonly EventView[] {
  if (step === undefined) {
    const wanted = errorsOnly ? events.filter(isBad) : events;
    return grep === undefined ? wanted : foundInTime(wanted, grep, (event) => isFound(event, grep));
  }
  const found = events.filter((event) => event.step === step);
  if (found.length > 0) return found;
  const last = events.at(-1)?.step;
  const next = last === undefined ? 'It has no events' : `Its steps are ${events[0]?.step} to ${last}`;
  throw new StepforkError('missing_step', `there is no step ${step} in '${bundle}'. ${next}.`, { details: { step } });
}

const isBad = ({ status, type }: EventView): boolean => status === 'error' || type === 'error';

const isFound = (event: EventView, pattern: RegExp): boolean =>
  pattern.test(`${event.type} ${event.label}`) || matchesIn(event, pattern).length > 0;

function textOf(given: Given, view: RunView, events: readonly EventView[], terminal: Terminal): string {
  if (given.step !== undefined) return events.map((event) => formatStep(event, view, terminal)).join('\n\n');
  if (events.length === 0 && given.grep !== undefined) return 'no event matches';
  if (events.length === 0 && given.errorsOnly) return 'no errors';
  if (given.events || (given.errorsOnly && given.grep === undefined)) return formatEvents(events, view, terminal);
  if (given.grep !== undefined) return formatMatches(events, given.grep, terminal);
  const parts = [terminal.paint('bold', displayText(given.bundle)), formatSummary(view, terminal)];
  return [...parts, ...(events.length > 0 ? ['', formatTimeline(view, terminal)] : [])].join('\n');
}

/** In parts that end where a line does: what the requests of a long conversation repeat is more than one text can hold. */
function* documentOf(
  bundle: string,
  { run, summary, integrity }: RunView,
  events: readonly EventView[],
): Generator<string, void, undefined> {
  const whole = jsonDocument({ schema: 'stepfork.inspect/1', bundle, run, summary, integrity, events: [] });
  if (events.length === 0) return yield whole;
  const [empty, open, close] = ['[]\n}', '[', '  ]\n}'];
  yield `${whole.slice(0, -empty.length)}${open}`;
  for (const [index, event] of events.entries()) {
    const comma = index < events.length - 1 ? ',' : '';
    yield `${jsonDocument(event).replace(/^/gm, '    ')}${comma}`;
  }
  yield close;
}
