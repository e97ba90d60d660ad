import { displayText, type Json, StepforkError } from '@stepfork/trace-format';
import type { ConfigSource } from '../../config/config-source.js';
import { redactionOf } from '../../config/redaction.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { jsonDocument, jsonDocumentParts } from '../../json-text.js';
import { joined, writeParts } from '../../parts.js';
import type { Terminal } from '../../terminal.js';
import { whileReading } from '../../while-reading.js';
import { formatEvents } from './event-table.js';
import { formatMatches, matchesIn } from './grep.js';
import { foundInTime } from './in-time.js';
import { formatStep } from './step.js';
import { formatSummary } from './summary.js';
import { formatTimeline } from './timeline.js';
import { type EventHead, type RunView, readRun } from './view.js';

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
    return given.json ? documentOf(given.bundle, view, events) : textOf(given, view, events, terminal);
  });
  await writeParts(shown, terminal);
  return EXIT.same;
}

/** The events asked for. Errors (B261): what ended badly, and the error events that say how. */
function select(run: RunView, { bundle, step, errorsOnly, grep }: Given): readonly EventHead[] {
  const { events } = run;
  if (step === undefined) {
    const wanted = errorsOnly ? events.filter(isBad) : events;
    return grep === undefined ? wanted : foundInTime(wanted, grep, (event) => isFound(run, event, grep));
  }
  const found = events.filter((event) => event.step === step);
  if (found.length > 0) return found;
  const last = events.at(-1)?.step;
  const next = last === undefined ? 'It has no events' : `Its steps are ${events[0]?.step} to ${last}`;
  throw new StepforkError('missing_step', `there is no step ${step} in '${bundle}'. ${next}.`, { details: { step } });
}

const isBad = ({ status, type }: EventHead): boolean => status === 'error' || type === 'error';

const isFound = (run: RunView, event: EventHead, pattern: RegExp): boolean =>
  pattern.test(`${event.type} ${event.label}`) || matchesIn(run.inFull(event), pattern).length > 0;

function textOf(given: Given, view: RunView, events: readonly EventHead[], terminal: Terminal): Iterable<string> {
  if (given.step !== undefined) return steps(view, events, terminal);
  if (events.length === 0 && given.grep !== undefined) return ['no event matches'];
  if (events.length === 0 && given.errorsOnly) return ['no errors'];
  if (given.events || (given.errorsOnly && given.grep === undefined)) return formatEvents(events, view, terminal);
  if (given.grep !== undefined) return formatMatches(events, view, given.grep, terminal);
  const head = [terminal.paint('bold', displayText(given.bundle)), '\n', formatSummary(view, terminal)];
  return events.length === 0 ? head : joined([head, formatTimeline(view, terminal)], '\n\n');
}

function steps(view: RunView, events: readonly EventHead[], terminal: Terminal): Iterable<string> {
  const texts = events.map((event) => formatStep(event, view, terminal));
  return joined(texts, '\n\n');
}

function* documentOf(bundle: string, view: RunView, events: readonly EventHead[]): Generator<string, void, undefined> {
  const { run, summary, integrity } = view;
  const whole = jsonDocument({ schema: 'stepfork.inspect/1', bundle, run, summary, integrity, events: [] });
  if (events.length === 0) return yield whole;
  const [empty, open, close] = ['[]\n}', '[', '\n  ]\n}'];
  yield `${whole.slice(0, -empty.length)}${open}`;
  for (const [index, event] of events.entries()) {
    yield `${index === 0 ? '' : ','}\n    `;
    yield* jsonDocumentParts(view.inFull(event) as unknown as Json, '    ');
  }
  yield close;
}
