import type { Pixels } from './png.js';

/** How much of a picture is not its ground: the part of its pixels that are of another colour than most are. */
export function inkOf({ data }: Pixels): number {
  const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const counts = new Map<number, number>();
  for (let at = 0; at < data.length; at += 4) {
    const colour = bytes.getUint32(at);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return 1 - Math.max(...counts.values()) / (data.length / 4);
}
