import type { ScrubPlace } from '@stepfork/redact/bundle';
import { StepforkError } from '@stepfork/trace-format/write';

/** `<event_id>:<json-pointer>`. A pointer starts with a slash, so that a colon within an id does no harm. */
export function parsePlace(text: string): ScrubPlace {
  const colon = text.indexOf(':/');
  if (colon > 0) return { event_id: text.slice(0, colon), path: text.slice(colon + 1) };
  throw new StepforkError(
    'usage',
    `'--pointer' must read <event_id>:<json-pointer>, not '${text}'. Write it as evt_4e46c56f…:/output/address.`,
  );
}

export function formatPlace({ event_id, path }: ScrubPlace): string {
  return `${event_id}:${path}`;
}
