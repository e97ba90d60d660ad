import { Buffer } from 'node:buffer';
import type { Hash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { externalizeBytes, mayHoldBlob } from '../blobs.js';
import { checkEvent } from '../check-event.js';
import { checkManifest } from '../check-manifest.js';
import { isStepforkError, StepforkError } from '../errors.js';
import type { TraceEvent } from '../event.js';
import { runningSha256, sha256 } from '../hash.js';
import { canonicalJson } from '../json/canonical.js';
import type { Json } from '../json.js';
import { countEvent, type Manifest, NO_TOTALS, type Totals } from '../manifest.js';
import { EarlierInputs, type FullEvent } from '../repeats/earlier-inputs.js';
import type { RuntimeHeader, RuntimeRecord } from '../runtime.js';
import type { RedactedEvent, RedactedManifest } from '../sealed.js';
import { AppendFile, changed } from './append-file.js';
import { BlobFolder } from './blob-folder.js';
import { isBusy, setBusy, setFree } from './busy.js';
import { integrityText, manifestText, redactionsText } from './documents.js';
import { type EventLine, encodeEventLine } from './event-line.js';
import { discardFresh, kindAt, makeDirectories, makeFreshDirectory, removeDirectory, replaceFile } from './files.js';
import { KeyOrders } from './key-order.js';
import { blobMember, INTEGRITY_FILE, MAX_LINE_BYTES, RUNTIME_FILE, requireBundlePath, workPathFor } from './layout.js';
import { checkTarget, publish, replacesBundle } from './publish.js';
import { RedactionList } from './redaction-list.js';
import { markWriting, unmarkWriting, WRITING_MARK } from './writing-mark.js';

/** Where and how a bundle is written. */
export interface OpenBundleOptions {
  /** Of the finished bundle; ends in `.sftrace`. */
  readonly path: string;
  /** Replace a bundle that lies there. Default false. */
  readonly overwrite?: boolean;
  /** What is known at the start; status, failure and totals follow from the run. */
  readonly manifest: RedactedManifest;
  /** First line of runtime.jsonl. Without one there is no such file. */
  readonly runtime?: RuntimeHeader;
}

/**
 * Starts a bundle. While the run goes on it lies beside its place, as `<stem>.<8 of run id>.partial.sftrace`, and
 * is a valid partial bundle at any moment; `finish` puts it into its place.
 *
 * @throws StepforkError `not_a_bundle`, `output_exists`, `output_busy`, `invalid_manifest` or `write_failed`;
 * except for the last, before anything was touched
 */
export function openBundle(options: OpenBundleOptions): BundleWriter {
  const path = resolve(options.path);
  requireBundlePath(path);
  const manifest = checkManifest(startOf(options.manifest.manifest));
  const workPath = workPathFor(path, manifest.run_id);
  checkTarget(path, options.overwrite === true);
  if (isBusy(path)) throw busyError(path, 'another recording is being written to it');
  if (kindAt(workPath) !== 'nothing') throw busyError(path, `${workPath} is in the way; recover or delete it`);
  makeDirectories(dirname(path));
  makeFreshDirectory(workPath);
  setBusy(path, workPath);
  let writer: BundleWriter | null = null;
  try {
    markWriting(workPath);
    writer = new BundleWriter(path, workPath, options, manifest);
    if (options.runtime !== undefined) writer.appendRuntime(options.runtime);
    return writer;
  } catch (error) {
    writer?.close();
    setFree(path, workPath);
    discardFresh(workPath, FIRST_FILES);
    throw error;
  }
}

/** What may lie in a bundle that could not be begun. */
const FIRST_FILES = ['manifest.json', 'redactions.json', 'events.jsonl', RUNTIME_FILE]
  .flatMap((name) => [name, `${name}.new`])
  .concat(WRITING_MARK);

function startOf(manifest: Manifest): Manifest {
  return { ...manifest, status: 'running', failure: null, totals: NO_TOTALS };
}

function busyError(path: string, why: string): StepforkError {
  return new StepforkError('output_busy', `${path}: ${why}`, { details: { file: path } });
}

/** An event, ready to be written. */
interface Encoded {
  readonly line: EventLine;
  readonly written: FullEvent<TraceEvent>;
}

/** A bundle that is being written. Synchronous: what returned is in the file. */
export class BundleWriter {
  /** Where the finished bundle will be; absolute. */
  readonly path: string;
  /** Where it lies until then. */
  readonly workPath: string;
  readonly #overwrite: boolean;
  readonly #events: DigestedFile;
  readonly #runtime: DigestedFile | null;
  readonly #redactions = new RedactionList();
  readonly #keyOrders = new KeyOrders();
  readonly #inputs = new EarlierInputs();
  readonly #blobs: BlobFolder;
  #totals: Totals = NO_TOTALS;
  #isOpen = true;

  constructor(path: string, workPath: string, options: OpenBundleOptions, manifest: Manifest) {
    this.path = path;
    this.workPath = workPath;
    this.#overwrite = options.overwrite === true;
    this.#blobs = new BlobFolder(workPath);
    replaceFile(join(workPath, 'manifest.json'), manifestText(manifest));
    replaceFile(join(workPath, 'redactions.json'), redactionsText([]));
    this.#events = new DigestedFile(join(workPath, 'events.jsonl'));
    try {
      this.#runtime = options.runtime === undefined ? null : new DigestedFile(join(workPath, RUNTIME_FILE));
    } catch (error) {
      this.#events.close();
      throw error;
    }
  }

  /** Whether finishing would replace a bundle that lies at the path. */
  get replaces(): boolean {
    return replacesBundle(this.path);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#events.size + (this.#runtime?.size ?? 0) + this.#blobs.size;
  }

  /**
   * Writes an event and returns it as `loadTrace` will give it: hashes computed, large binary data in blobs. When it
   * throws, nothing of the event is in the file, and the bundle can go on.
   *
   * @param redacted is not to be changed afterwards: later events are compared with it, to write once what they repeat
   * @throws StepforkError `invalid_event`, `not_canonical`, `event_too_large`, `blob_too_large`, `write_failed`,
   * `bundle_closed`; `unresolved_repeat` for an event that holds what only this writer may write
   */
  append({ event, findings }: RedactedEvent): TraceEvent {
    this.#requireOpen();
    const { line, written } = this.#encoded(checkEvent(event));
    for (const [digest, bytes] of line.blobs) this.#blobs.put(bytes, digest);
    if (this.#runtime !== null) for (const record of this.#keyOrders.recordsFor(line.event)) this.appendRuntime(record);
    this.#events.append(line.bytes);
    this.#redactions.add(event.id, findings);
    this.#totals = countEvent(this.#totals, event);
    this.#inputs.keep(written);
    if (line.blobs.size > 0) this.#inputs.haveBlobs = true;
    return written.event;
  }

  /**
   * Writes a record to runtime.jsonl, large binary data in blobs; without effect for a bundle that was opened without
   * a header.
   *
   * @throws StepforkError `not_canonical`, `record_too_large`, `blob_too_large`, `write_failed`, `bundle_closed`
   */
  appendRuntime(record: RuntimeRecord): void {
    this.#requireOpen();
    if (this.#runtime === null) return;
    if (record.type === 'chunk') for (const order of this.#keyOrders.recordsForChunk(record)) this.appendRuntime(order);
    const text = canonicalJson(record as unknown as Json);
    const line = mayHoldBlob(text) ? canonicalJson(this.#externalized(record as unknown as Json)) : text;
    const bytes = Buffer.from(`${line}\n`);
    if (bytes.length > MAX_LINE_BYTES) throw recordTooLarge(record);
    this.#runtime.append(bytes);
  }

  /**
   * Writes bytes to a blob, for an event that names it.
   *
   * @returns their SHA-256, which is the blob's name
   * @throws StepforkError `blob_too_large`, `write_failed`, `bundle_closed`
   */
  putBlob(bytes: Uint8Array): string {
    this.#requireOpen();
    return this.#blobs.put(bytes);
  }

  /**
   * Writes what is left (redactions, integrity, the final manifest, whose events and calls are counted here) and
   * puts the bundle into its place. When it throws, the partial bundle stays and can be recovered.
   *
   * @returns the path
   * @throws StepforkError `invalid_manifest`, `output_exists`, `bundle_changed`, `write_failed`, `bundle_closed`
   */
  finish({ manifest, findings }: RedactedManifest): string {
    this.#requireOpen();
    const { events, llm_calls, tool_calls } = this.#totals;
    const final = checkManifest({ ...manifest, totals: { ...manifest.totals, events, llm_calls, tool_calls } });
    this.#requireUnchanged();
    this.#close();
    const redactions = redactionsText(this.#redactions.entries(findings));
    const text = manifestText(final);
    const digests = new Map([
      ['manifest.json', sha256(text)],
      ['events.jsonl', this.#events.digest()],
      ['redactions.json', sha256(redactions)],
    ]);
    if (this.#runtime !== null) digests.set(RUNTIME_FILE, this.#runtime.digest());
    for (const digest of this.#blobs.digests) digests.set(blobMember(digest), digest);
    replaceFile(join(this.workPath, 'redactions.json'), redactions);
    replaceFile(join(this.workPath, INTEGRITY_FILE), integrityText(digests));
    replaceFile(join(this.workPath, 'manifest.json'), text);
    unmarkWriting(this.workPath);
    publish(this.workPath, this.path, final.run_id, this.#overwrite);
    return this.path;
  }

  /** Ends the writing and leaves the partial bundle as it is, for `recoverBundle`. */
  close(): void {
    if (!this.#isOpen) return;
    this.#close();
    unmarkWriting(this.workPath);
  }

  /** Throws the recording away. */
  abandon(): void {
    if (!this.#isOpen) return;
    this.#close();
    removeDirectory(this.workPath);
  }

  #encoded(event: TraceEvent): Encoded {
    const encode = (inputs?: EarlierInputs): Encoded => {
      const line = encodeEventLine(event, inputs);
      return { line, written: this.#inputs.inFull(line.event, line.bytes.length - 1) };
    };
    try {
      return encode(this.#inputs);
    } catch (error) {
      if (!isStepforkError(error, 'unresolved_repeat')) throw error;
      // Whatever is wrong with leaving something out, all of it can be written.
      return encode();
    }
  }

  #externalized(json: Json): Json {
    return externalizeBytes(json, (digest, bytes) => void this.#blobs.put(bytes, digest));
  }

  #close(): void {
    this.#isOpen = false;
    setFree(this.path, this.workPath);
    try {
      this.#events.close();
    } finally {
      this.#runtime?.close();
    }
  }

  /** What is sealed is what was written: nobody else may have had a hand in it. */
  #requireUnchanged(): void {
    if (kindAt(this.workPath) !== 'directory') throw changed(this.workPath, 'was removed or replaced');
    this.#events.requireUnchanged();
    this.#runtime?.requireUnchanged();
    this.#blobs.requireUnchanged();
  }

  #requireOpen(): void {
    if (this.#isOpen) return;
    throw new StepforkError('bundle_closed', `${this.path}: the bundle is finished; nothing can be added`, {
      details: { file: this.path },
    });
  }
}

function recordTooLarge({ type }: RuntimeRecord): StepforkError {
  const message = `a record of type '${type}' takes more than ${MAX_LINE_BYTES} bytes, the most one line may have`;
  return new StepforkError('record_too_large', message, { details: { type, limit: MAX_LINE_BYTES } });
}

/** A growing file and the digest of what it holds, so that finishing need not read it again. */
class DigestedFile {
  readonly #file: AppendFile;
  readonly #hash: Hash = runningSha256();

  constructor(path: string) {
    this.#file = new AppendFile(path);
  }

  get size(): number {
    return this.#file.size;
  }

  append(bytes: Uint8Array): void {
    this.#file.append(bytes);
    this.#hash.update(bytes);
  }

  requireUnchanged(): void {
    this.#file.requireUnchanged();
  }

  close(): void {
    this.#file.close();
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
