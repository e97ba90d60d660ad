import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture of pixels, each of four bytes: red, green, blue, and how opaque it is. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Reads a PNG as a browser writes it: eight bits a channel, not interlaced. */
export function readPng(png: Uint8Array): Pixels {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const chunks = [...chunksOf(file)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.content ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : header[9] === 2 ? 3 : 0;
  if (channels === 0 || header[8] !== 8 || header[12] !== 0) throw new Error('a PNG of another kind');
  const compressed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content));
  return { width, height, data: opaque(unfiltered(inflateSync(compressed), width * channels, channels), channels) };
}

function* chunksOf(file: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), content: file.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** Rows are stored as differences from what is left of them and above them; each says first, how. */
function unfiltered(rows: Uint8Array, rowLength: number, channels: number): Uint8Array {
  const height = rows.length / (rowLength + 1);
  const pixels = new Uint8Array(height * rowLength);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (rowLength + 1)];
    for (let x = 0; x < rowLength; x++) {
      const at = y * rowLength + x;
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - rowLength] ?? 0);
      const upLeft = x < channels || y === 0 ? 0 : (pixels[at - rowLength - channels] ?? 0);
      const expected = [0, left, up, (left + up) >> 1, nearest(left, up, upLeft)][filter ?? 0] ?? 0;
      pixels[at] = (rows[y * (rowLength + 1) + 1 + x] ?? 0) + expected;
    }
  }
  return pixels;
}

function nearest(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - upLeft)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

function opaque(pixels: Uint8Array, channels: number): Uint8Array {
  if (channels === 4) return pixels;
  return Uint8Array.from({ length: (pixels.length / 3) * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : (pixels[Math.floor(i / 4) * 3 + (i % 4)] ?? 0),
  );
}

/** Writes a PNG of text on a plain ground, for which rows as they are make a smaller file than a browser's. */
export function writePng({ width, height, data }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const rows = Buffer.alloc(height * (width * 4 + 1));
  for (let y = 0; y < height; y++) {
    rows.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * (width * 4 + 1) + 1);
  }
  const content = deflateSync(rows, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', content), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
