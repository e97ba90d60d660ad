import { createRedactor, type RedactOptions, type Redactor } from '@stepfork/redact';
import {
  type BlobReader,
  inlineBytes,
  type Json,
  type Manifest,
  openBundle,
  type RuntimeHeader,
  type RuntimeRecord,
  StepforkError,
  type Trace,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import { runtimeHeader } from './recording/provenance.js';

/** How a trace is saved. */
export interface SaveOptions {
  /** Replace a bundle that lies there. */
  readonly overwrite?: boolean | undefined;
  /** What is taken out before anything is written. */
  readonly redact?: RedactOptions | undefined;
}

/**
 * Writes a trace that was built by hand, or loaded, as a bundle: redacted, then hashed (hashes that it carries are
 * made anew), then written. The trace in memory stays as it is.
 *
 * @param path ends in `.sftrace`; missing directories are made
 * @returns the bundle's absolute path
 * @throws StepforkError `not_a_bundle`, `output_exists`, `output_busy`, `invalid_event`, `invalid_manifest`,
 * `bad_redaction_rule`, `missing_blob`, `invalid_blob` or `write_failed`; what lay at the path stays as it was
 */
export function saveTrace(trace: Trace, path: string, options: SaveOptions = {}): string {
  const redactor = createRedactor(options.redact);
  const manifest = redactor.redactManifest(manifestOf(trace));
  const [header, records] = runtimeOf(trace, redactor);
  const writer = openBundle({
    path,
    overwrite: options.overwrite === true,
    manifest,
    ...(header === null ? {} : { runtime: header }),
  });
  try {
    for (const event of trace.events) writer.append(redactor.redactEvent(withBytes(event, trace.blobs)));
    for (const record of records) writer.appendRuntime(record);
    return writer.finish(manifest);
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/** With the bytes that lie in blobs, so that the rules see them; the writer puts them into blobs again. */
function withBytes<T extends TraceEvent | RuntimeRecord>(value: T, blobs: BlobReader | undefined): T {
  return inlineBytes(value as unknown as Json, blobs ?? NO_BLOBS) as unknown as T;
}

const NO_BLOBS: BlobReader = {
  has: () => false,
  read: (digest) => {
    throw new StepforkError('missing_blob', `the trace names the blob ${digest}, but has no blobs`, {
      details: { blob: digest },
    });
  },
};

function manifestOf({ events: _events, runtime: _runtime, blobs: _blobs, ...manifest }: Trace): Manifest {
  return manifest;
}

/** The runtime file's lines, under the rules that redact this bundle; none for a trace that has none. */
function runtimeOf(trace: Trace, redactor: Redactor): [RuntimeHeader | null, RuntimeRecord[]] {
  if (trace.runtime.length === 0) return [null, []];
  const known = trace.runtime.find((record) => record.type === 'runtime');
  const made = runtimeHeader(Date.parse(trace.created_at), { tags: known?.tags ?? {}, keepsClock: false }, redactor);
  const header = known === undefined ? made : { ...known, tags: made.tags, redaction: made.redaction };
  // The order of keys is noted anew as the events are written.
  const records = trace.runtime.filter(({ type }) => type !== 'runtime' && type !== 'key_order');
  return [
    header,
    records.map(
      (record) => redactor.redact(withBytes(record, trace.blobs) as unknown as Json).value as unknown as RuntimeRecord,
    ),
  ];
}
