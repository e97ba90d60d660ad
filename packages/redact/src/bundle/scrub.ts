import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type BundleWriter,
  openBundle,
  type RuntimeHeader,
  type RuntimeRecord,
  StepforkError,
} from '@stepfork/trace-format/write';
import { nowMs } from '../clock.js';
import { NO_MEMORY, SessionMemory } from '../memory/memory.js';
import { copyMember } from './copy-member.js';
import { finderOf } from './finder.js';
import { memberLines, membersOf } from './members.js';
import { ScrubbedChunks } from './scrub-chunks.js';
import { changePacked } from './scrub-packed.js';
import { MANIFEST_ID, type ScrubPlace, ScrubPlaces } from './scrub-places.js';
import { Scrubber } from './scrubber.js';
import { openSealed, type SealedBundle } from './sealed-bundle.js';

export type { ScrubPlace } from './scrub-places.js';

/** What is to be removed, and where the result goes. */
export interface ScrubOptions {
  /** Places whose value goes whole. The texts in it go wherever else they recur, as with any rule. */
  readonly pointers?: readonly ScrubPlace[] | undefined;
  /** A text of 8 or more characters that goes wherever it stands, in all its spellings. */
  readonly value?: string | undefined;
  /** Where the scrubbed bundle is written; the other stays. Either this or `inPlace`. */
  readonly to?: string | undefined;
  /** Replaces the bundle by the scrubbed one. */
  readonly inPlace?: boolean | undefined;
}

/** A bundle from which something was removed. */
export interface ScrubbedBundle {
  /** Where it lies; absolute. */
  readonly path: string;
  /** What was redacted now, as redactions.json lists it. */
  readonly places: readonly ScrubPlace[];
}

/**
 * Removes from a sealed bundle what no rule had caught. Payloads are hashed and files sealed anew, the places are
 * listed in redactions.json with the reason `scrubbed`, and runtime.jsonl says when it was done. Until the new bundle
 * is whole and in place, the old one is. A packed bundle becomes a packed bundle.
 *
 * @throws StepforkError `invalid_argument`, `bad_scrub_place`, `nothing_to_scrub`, `scrub_incomplete`,
 * `unsound_bundle`, and what reading and writing a bundle throws; then nothing was changed
 */
export function scrubBundle(path: string, options: ScrubOptions): ScrubbedBundle {
  const target = targetOf(path, options);
  const { value, pointers = [], inPlace = false } = options;
  if (value === undefined && pointers.length === 0) throw badArgument('needs pointers, or a value to remove');
  const isIn = value === undefined ? null : finderFor(value);
  const places = new ScrubPlaces(pointers);
  const plan: Plan = { path, places, value, isIn };
  if (!isPacked(path)) return scrubFolder(path, target, inPlace, plan);
  const { places: found } = changePacked(resolve(path), target, (folder) => scrubFolder(folder, folder, true, plan));
  return { path: target, places: found };
}

/** What is to be removed, once it was checked. */
interface Plan {
  /** Of the bundle, as it was given. */
  readonly path: string;
  readonly places: ScrubPlaces;
  readonly value: string | undefined;
  readonly isIn: ((text: string) => boolean) | null;
}

function scrubFolder(
  folder: string,
  target: string,
  inPlace: boolean,
  { path, places, value, isIn }: Plan,
): ScrubbedBundle {
  const bundle = openSealed(folder);
  const memory = new SessionMemory();
  memory.learn([...(value === undefined ? [] : [value]), ...textsAt(places, bundle)]);
  const scrubber = new Scrubber(places, memory);
  const { sealed: manifest, fresh } = scrubber.manifest(bundle.manifest, bundle.findingsOf(MANIFEST_ID));
  const runtime = scrubber.runtime(bundle.header) as unknown as RuntimeHeader;
  const writer = openBundle({ path: target, overwrite: inPlace, manifest, runtime });
  try {
    const chunks = new ScrubbedChunks();
    const inEvents = writeEvents(bundle, scrubber, writer, chunks);
    const found = [...inEvents, ...fresh.map((finding) => placeOf(MANIFEST_ID, finding))];
    chunks.gather(bundle.records(), memory);
    for (const record of bundle.records()) {
      writer.appendRuntime(scrubber.runtime(record, chunks.dataFor(record)) as unknown as RuntimeRecord);
    }
    if (scrubber.count === 0) throw nothingFound(path);
    writer.appendRuntime({ type: 'scrubbed', at_ms: nowMs(), places: scrubber.count });
    for (const member of bundle.foreign) copyMember(member, writer.workPath);
    if (isIn !== null) requireGone(writer.workPath, isIn, path);
    return { path: writer.finish(manifest), places: found };
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

function isPacked(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function targetOf(path: string, { to, inPlace = false }: ScrubOptions): string {
  if ((to === undefined) !== inPlace) throw badArgument("needs either 'to', a path for the result, or 'inPlace'");
  return resolve(to ?? path);
}

/** The texts at the places; makes sure that every place is there. */
function textsAt(places: ScrubPlaces, bundle: SealedBundle): readonly string[] {
  if (places.isEmpty) return [];
  const scrubber = new Scrubber(places, NO_MEMORY);
  places.checkManifest(bundle.manifest);
  const texts = [...scrubber.textsInManifest(bundle.manifest)];
  for (const event of bundle.events()) {
    places.checkEvent(event);
    texts.push(...scrubber.textsInEvent(event));
  }
  places.checkAllSeen();
  return texts;
}

function writeEvents(
  bundle: SealedBundle,
  scrubber: Scrubber,
  writer: BundleWriter,
  chunks: ScrubbedChunks,
): readonly ScrubPlace[] {
  const places: ScrubPlace[] = [];
  for (const event of bundle.events()) {
    const { sealed, fresh } = scrubber.event(event, bundle.findingsOf(event.id));
    writer.append(sealed);
    chunks.noteEvent(event, sealed.event);
    for (const finding of fresh) places.push(placeOf(event.id, finding));
  }
  return places;
}

function placeOf(event_id: string, { path }: { readonly path: string }): ScrubPlace {
  return { event_id, path };
}

function finderFor(value: string): (text: string) => boolean {
  const finder = typeof value === 'string' ? finderOf(value) : null;
  if (finder !== null) return finder;
  throw badArgument(
    "'value' must be a text of 8 to 65,536 characters, and no word that stands for secrets; name its places by pointers",
  );
}

/** Ids, times and files of other tools are never changed: what stands in one of them is not gone. */
function requireGone(workPath: string, isIn: (text: string) => boolean, path: string): void {
  for (const member of membersOf(workPath)) {
    if (isIn(member.name)) throw incomplete(path, 'the name of a file');
    for (const { text, number } of memberLines(member)) {
      if (isIn(text)) throw incomplete(path, `${member.name}:${number}`);
    }
  }
}

function incomplete(path: string, where: string): StepforkError {
  return new StepforkError(
    'scrub_incomplete',
    `${path}: not scrubbed, since the value also stands in ${where}, where nothing is changed; remove it there first`,
    { details: { file: path, where } },
  );
}

function nothingFound(path: string): StepforkError {
  return new StepforkError('nothing_to_scrub', `${path}: what is to be removed stands nowhere in it`, {
    details: { file: path },
  });
}

function badArgument(problem: string): StepforkError {
  return new StepforkError('invalid_argument', `scrubBundle: ${problem}`);
}
