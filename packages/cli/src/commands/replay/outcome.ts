import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';
import { inFlags } from '../../flag-names.js';

/** What a replay came to, in a line. */
export interface Outcome {
  /** `matched`, `diverged` …; `timed-out`; `error` where there was nothing to report. */
  readonly verdict: string;
  /** One line: what was different, or what went wrong. */
  readonly message: string | null;
}

/** What `stepfork replay --json` printed, in a line. */
export function outcomeOf(document: Json): Outcome {
  if (!isJsonObject(document)) return { verdict: 'error', message: 'it printed no result' };
  const { report } = document;
  const verdict = textIn(report, 'verdict');
  if (verdict === null) return { verdict: 'error', message: textIn(document, 'message') };
  return { verdict, message: whatDiffers(report, document.expectation) };
}

/** Where the output met an expectation, no other one is asked for. */
function whatDiffers(report: Json | undefined, expectation: Json | undefined): string | null {
  if (!isJsonObject(report)) return null;
  const isMet = isJsonObject(expectation) && expectation.met === true;
  const message = textIn(report.divergence, 'message');
  const divergence = message === null ? null : inFlags(message);
  const others = textIn(report, 'disagreement') ?? (isMet ? null : textIn(expectation, 'message'));
  const facts = [divergence, howItEnded(report)].filter((fact) => fact !== null);
  return facts.length === 0 ? others : facts.join('; ');
}

/** As the report of a single bundle says of its output; null where it returned one, or threw what refused its call. */
function howItEnded({ facets, error, notes, divergence }: { readonly [key: string]: Json }): string | null {
  if (textIn(facets, 'execution') === 'stalled') {
    const told = isJsonArray(notes) ? notes.find((note) => String(note).startsWith(ENDLESS)) : undefined;
    return told === undefined ? ENDLESS : String(told);
  }
  const [name, message] = [textIn(error, 'name'), textIn(error, 'message') ?? ''];
  const refused = textIn(divergence, 'message');
  if (name === null || (name === 'StepforkError' && refused !== null && message.endsWith(refused))) return null;
  return `threw ${name}: ${message}`;
}

const ENDLESS = 'the run did not end';

function textIn(json: Json | undefined, key: string): string | null {
  const value = isJsonObject(json) ? json[key] : null;
  return typeof value === 'string' ? value : null;
}
