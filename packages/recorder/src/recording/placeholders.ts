import { displayText, type EncodedValue, type PlaceholderRecord } from '@stepfork/trace-format/write';
import { describe, type Named } from '../boundary/describe.js';
import { warnOnce } from '../boundary/warning.js';

/** Of one payload; the payload itself marks every one. */
const MOST = 100;
const CHUNK = /^\/output\/chunks\//;

/** What could not be recorded of one payload, for the runtime file. */
export function placeholderRecords(eventId: string, field: string, captured: EncodedValue): PlaceholderRecord[] {
  return captured.placeholders.slice(0, MOST).map(({ path, reason }) => ({
    type: 'placeholder',
    event_id: eventId,
    path: `/${field}${path}`,
    reason,
  }));
}

/** Says it once for each boundary and payload. */
export function warnOfPlaceholders(what: Named, records: readonly PlaceholderRecord[]): void {
  const [first] = records;
  if (first === undefined) return;
  const [, field] = first.path.split('/');
  const others = records.length === 1 ? '' : ' and others';
  const place = displayText(`${first.path} (${first.reason})`);
  const advice =
    what.kind === 'agent'
      ? 'make it plain data'
      : field === 'input'
        ? 'record plain data as its input'
        : `give it a ${CHUNK.test(first.path) ? 'chunkCodec' : 'codec'}, or a replay cannot answer with it`;
  warnOnce(
    'unserializable',
    `${describe(what)} ${field}`,
    `${describe(what)}: ${place}${others} cannot be recorded, so a placeholder was; ${advice}`,
  );
}
