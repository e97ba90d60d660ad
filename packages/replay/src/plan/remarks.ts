import { formatPath, isJsonArray, type Json, parsePointer, type Trace } from '@stepfork/trace-format';

/** What the recorder remarked of a run that may keep its replay from being the same. */
export interface RunRemarks {
  /** Why the recorder stopped writing before the run ended, for a person; null where it did not. */
  readonly truncated: string | null;
  /** Ids of the requests that the agent told of by hand. */
  readonly manual: ReadonlySet<string>;
  /** Per id of a call whose body changed an argument: where. */
  readonly mutated: ReadonlyMap<string, readonly string[]>;
  /** Ids of the calls that were given up before they answered, by a signal. */
  readonly aborted: ReadonlySet<string>;
}

/** A record of whatever type: one that this release does not know may stand in a trace that was built in memory. */
interface AnyRecord {
  readonly type: string;
  readonly call_id?: unknown;
  readonly paths?: unknown;
  readonly reason?: unknown;
}

export function remarksIn({ runtime }: Trace): RunRemarks {
  const records: readonly AnyRecord[] = runtime;
  return {
    truncated: truncationIn(records),
    manual: callsOf(records, 'manual'),
    aborted: callsOf(records, 'aborted'),
    mutated: new Map(
      records
        .filter(({ type }) => type === 'mutated')
        .flatMap(({ call_id: id, paths }) => (typeof id === 'string' ? [[id, placesOf(paths)]] : [])),
    ),
  };
}

function callsOf(records: readonly AnyRecord[], wanted: string): ReadonlySet<string> {
  return new Set(records.flatMap(({ type, call_id: id }) => (type === wanted && typeof id === 'string' ? [id] : [])));
}

const REASONS: Readonly<Record<string, string>> = {
  events: 'it had reached limits.events',
  bundle_bytes: 'it had reached limits.bundleBytes',
};

function truncationIn(records: readonly AnyRecord[]): string | null {
  const found = records.find(({ type }) => type === 'truncated');
  if (found === undefined) return null;
  const reason =
    typeof found.reason === 'string' && Object.hasOwn(REASONS, found.reason) ? REASONS[found.reason] : null;
  return reason ?? 'it could not go on';
}

function placesOf(paths: unknown): readonly string[] {
  if (!isJsonArray(paths as Json)) return [];
  return (paths as readonly Json[]).filter((path) => typeof path === 'string').map(readable);
}

/** A JSON Pointer as differences name places; other text as it is. */
function readable(path: string): string {
  const segments = parsePointer(path);
  return segments === null ? path : formatPath(segments.map((each) => (/^\d+$/.test(each) ? Number(each) : each)));
}
