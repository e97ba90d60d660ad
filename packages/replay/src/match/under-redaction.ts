import { REDACTED } from '@stepfork/redact';
import { isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format';

/**
 * Whether a live input is the recorded one with secrets in its redacted places. For a recording whose rules took
 * out more than the live side's do: what stands in place of a `[REDACTED]` is not compared, everything else is.
 */
export function equalUnderRedaction(recorded: Json, live: Json): boolean {
  if (recorded === REDACTED) return true;
  if (typeof recorded === 'string') return typeof live === 'string' && fitsText(recorded, live);
  if (isJsonArray(recorded)) {
    return (
      isJsonArray(live) &&
      recorded.length === live.length &&
      recorded.every((item, index) => equalUnderRedaction(item, live[index] ?? null))
    );
  }
  if (isJsonObject(recorded)) return isJsonObject(live) && equalObjects(recorded, live);
  return recorded === live;
}

function equalObjects(recorded: { readonly [key: string]: Json }, live: { readonly [key: string]: Json }): boolean {
  const keys = Object.keys(recorded);
  return (
    keys.length === Object.keys(live).length &&
    keys.every((key) => Object.hasOwn(live, key) && equalUnderRedaction(recorded[key] ?? null, live[key] ?? null))
  );
}

/** Whether `live` is `recorded` with some text in place of each mark. */
function fitsText(recorded: string, live: string): boolean {
  const [first = '', ...rest] = recorded.split(REDACTED);
  if (rest.length === 0) return recorded === live;
  const last = rest.pop() ?? '';
  if (!live.startsWith(first) || live.length < first.length + last.length || !live.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const found = live.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= live.length - last.length;
}
