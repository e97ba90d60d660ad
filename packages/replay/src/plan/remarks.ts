import { formatPath, isJsonArray, type Json, parsePointer, type Trace } from '@stepfork/trace-format';

/** What the recorder remarked of a run that may keep its replay from being the same. */
export interface RunRemarks {
  /** The recorder stopped writing before the run ended. */
  readonly isTruncated: boolean;
  /** Per id of a call whose body changed an argument: where. */
  readonly mutated: ReadonlyMap<string, readonly string[]>;
}

/** A record of whatever type: one that this release does not know may stand in a trace that was built in memory. */
interface AnyRecord {
  readonly type: string;
  readonly call_id?: unknown;
  readonly paths?: unknown;
}

export function remarksIn({ runtime }: Trace): RunRemarks {
  const records: readonly AnyRecord[] = runtime;
  return {
    isTruncated: records.some(({ type }) => type === 'truncated'),
    mutated: new Map(
      records
        .filter(({ type }) => type === 'mutated')
        .flatMap(({ call_id: id, paths }) => (typeof id === 'string' ? [[id, placesOf(paths)]] : [])),
    ),
  };
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
