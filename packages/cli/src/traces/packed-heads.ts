import type { OpenFile } from './bounded-read.js';

/** Where the members of a packed bundle lie in its file: name → position and size. */
export type PackedPlaces = ReadonlyMap<string, { readonly start: number; readonly size: number }>;

const MAGIC = 'stepfork-pack/1\n';
const ENTRY = /^(\S+) (\d{1,15}) [0-9a-f]{64}$/;
/** A header this long names some ten thousand blobs. Whoever wants such a bundle opens it; a list only glances. */
const LONGEST_HEADER = 1024 * 1024;

/** Reads the header of a packed bundle. Whether the file keeps what it says is for `validate`. Null for no such file. */
export function packedPlaces(file: OpenFile): PackedPlaces | null {
  for (let size = 4096; ; size *= 4) {
    const head = file.bytes(0, size).toString('latin1');
    if (!head.startsWith(MAGIC)) return null;
    const seal = head.indexOf('\nseal ');
    const end = seal === -1 ? -1 : head.indexOf('\n', seal + 1);
    if (end !== -1) return placesOf(head.slice(MAGIC.length, seal).split('\n'), end + 1);
    if (head.length < size || size >= LONGEST_HEADER) return null;
  }
}

function placesOf(lines: readonly string[], headerLength: number): PackedPlaces | null {
  const places = new Map<string, { start: number; size: number }>();
  let at = headerLength;
  for (const line of lines) {
    const [, name, digits] = ENTRY.exec(line) ?? [];
    if (name === undefined) return null;
    const size = Number(digits);
    // What stands before each member: a line feed, three dashes and its name on a line.
    const start = at + `\n--- ${name}\n`.length;
    places.set(name, { start, size });
    at = start + size;
  }
  return places;
}
