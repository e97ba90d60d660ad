import type { ReplayReport } from '@stepfork/replay';
import type { Json } from '@stepfork/trace-format';
import { displayText, StepforkError } from '@stepfork/trace-format';

/** What a matcher needs to know. */
export interface Check {
  readonly pass: boolean;
  /** Why it did not pass; for one that did, why the opposite is false. Its first line says it all. */
  readonly message: string;
  /** The two values, as they were compared, where it was the values that differed. */
  readonly values?: { readonly expected: Json; readonly actual: Json };
  /** Where there was nothing to judge: the expectation is not met, and its opposite neither. */
  readonly judged?: false;
}

/** What a framework is told: of what could not be judged, that it is not as expected, with `.not` as without. */
export function passes({ pass, judged }: Check, isNot: boolean): boolean {
  return judged === false ? isNot : pass;
}

export function notJudged(message: string): Check {
  return { pass: false, message, judged: false };
}

/** @throws StepforkError `not_a_report` for anything but what `replayCase()` resolved to */
export function assertReport(value: unknown, matcher: string): asserts value is ReplayReport {
  const { verdict, facets } = typeof value === 'object' && value !== null ? (value as Partial<ReplayReport>) : {};
  if (typeof verdict === 'string' && typeof facets === 'object') return;
  throw new StepforkError(
    'not_a_report',
    `${matcher}() judges what replayCase() resolved to: await it, and pass its result to expect()`,
    { details: { type: typeof value } },
  );
}

/** One line that says why the calls are not the recorded ones, or null when they are. */
export function divergenceLine({ verdict, facets, divergence, notes }: ReplayReport): string | null {
  if (verdict !== 'diverged') return null;
  if (divergence !== null) return displayText(divergence.message);
  const end = notes.find((note) => TELLS_OF_THE_END.test(note));
  if (end !== undefined) return displayText([end, ...notes.filter((note) => note !== end)].join('; '));
  const what = facets.execution === 'stalled' ? 'the run did not come to an end' : 'the calls diverged';
  return displayText(notes.length === 0 ? what : `${what}: ${notes.join('; ')}`);
}

/** A note of a replay that says itself that the run did not end, and why. */
const TELLS_OF_THE_END = /^(?:the run did not end|the recording is partial, and the run went as far as it does): /;
