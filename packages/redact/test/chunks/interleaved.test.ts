import type { Json } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTED } from '../../src/index.js';
import { bytesOf, framings, type Shape, shapes, type Turn, textOf, textsOf } from './shapes.js';
import { chunked, piecesOf } from './streams.js';

const FULL = process.env.STEPFORK_FULL === '1';
const run = <T>(arbitrary: fc.Arbitrary<T>, law: (value: T) => void, runs = FULL ? 1_000 : 20): void => {
  fc.assert(fc.property(arbitrary, law), {
    numRuns: runs,
    seed: 30,
  });
};
/** Raw streams are longer. */
const RAW_RUNS = FULL ? 100 : 4;

/** In pieces of such sizes the longest of these comes in more than a dozen. */
const SECRETS = [
  'sk-Zq7Xw9Kv3Jp5Yg8Rt2',
  'npm_Zq7Xw9Kv3Jp5Yg8Rt2Zq7Xw9Kv3Jp5Yg8Rt2',
  'Bearer Zq7Xw9Kv3Jp5Yg8Rt2',
  'ghp_Zq7Xw9Kv3Jp5Yg8Rt2Zq7Xw9Kv3Jp5Yg8Rt2',
  '{"user":"ada","password":"Zq7Xw9Kv3Jp5Yg8Rt2"}',
  '{"pin":1,\n "api_key" : "Zq7Xw9Kv3Jp5Yg8Rt2", "n": 2}',
  'https://u:Zq7Xw9Kv3Jp5Yg8Rt2@host.example/',
  'the token is Xw9Kv3Jp5Yg8-Mn4Hd6',
];
const LEARNED = 'Xw9Kv3Jp5Yg8-Mn4Hd6';
const BODY = 'Zq7Xw9Kv3Jp5Yg8Rt2';
const WORDS = ['the ', 'order ', 'was ', 'paid, ', 'twice. ', '\n', 'é ', '"so" ', '{"a": [1, 2]} ', 'it is: '];

const prose = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((words) => words.join(''));
const secretive = fc.tuple(prose, fc.constantFrom(...SECRETS), prose).map((parts) => parts.join(' '));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });

/** Texts that take turns: as many pieces at once as a chunk holds. */
interface Stream {
  readonly texts: readonly string[];
  readonly turns: readonly (readonly Turn[])[];
}

function streamOf(text: fc.Arbitrary<string>): fc.Arbitrary<Stream> {
  const texts = fc.array(text, { minLength: 1, maxLength: 3 });
  return fc.tuple(texts, sizes, fc.array(fc.nat(99), { minLength: 1, maxLength: 40 })).map(([all, lengths, order]) => {
    const queues = all.map((one, number) => cut(one, lengths, number));
    const turns: Turn[] = [];
    for (let i = 0; queues.some(({ length }) => length > 0); i++) {
      const left = queues.filter(({ length }) => length > 0);
      turns.push((left[(order[i % order.length] as number) % left.length] as Turn[]).shift() as Turn);
    }
    return { texts: all, turns: turns.map((turn) => [turn]) };
  });
}

function cut(text: string, lengths: readonly number[], number: number): Turn[] {
  const turns: Turn[] = [];
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const length = lengths[(i + number) % lengths.length] as number;
    turns.push({ text: number, piece: text.slice(at, at + length) });
    at += length;
  }
  return turns;
}

const grouped = ({ texts, turns }: Stream): Stream => ({
  texts,
  turns: turns.flatMap((_, i) => (i % 2 === 0 ? [turns.slice(i, i + 2).flat()] : [])),
});

function chunksOf(name: string, shape: Shape, stream: Stream): readonly Json[] {
  const { turns } = name.includes('in a chunk') ? grouped(stream) : stream;
  return turns.map((some, position) => shape.chunk(some, position));
}

function taught(): ReturnType<typeof createRedactor> {
  const redactor = createRedactor();
  redactor.redact({ token: LEARNED });
  return redactor;
}

/** What may be out before a rule can tell has none of the secret's own characters, or two of one that was learned. */
function expectNoSecret(text: string): void {
  for (const secret of [BODY, LEARNED]) {
    for (const part of windows(secret, 3)) expect(text).not.toContain(part);
  }
}

function windows(text: string, size: number): readonly string[] {
  return Array.from({ length: text.length - size + 1 }, (_, i) => text.slice(i, i + size));
}

describe.each(Object.entries(shapes))('texts that take turns: %s', (name, shape) => {
  it('hold no secret', () => {
    run(streamOf(secretive), (stream) => {
      const chunks = chunksOf(name, shape, stream);
      const before = JSON.stringify(chunks);
      const given = chunked(taught(), chunks);
      expect(JSON.stringify(chunks)).toBe(before);
      expect(given.map(({ index }) => index)).toEqual(chunks.map((_, index) => index));
      for (const text of textsOf(
        shape,
        given.map(({ value }) => value),
      )) {
        expectNoSecret(text);
        expect(text).toContain(REDACTED);
      }
    });
  });

  it('stay as they are the second time', () => {
    run(streamOf(secretive), (stream) => {
      const once = chunked(taught(), chunksOf(name, shape, stream)).map(({ value }) => value);
      expect(chunked(taught(), once).map(({ value }) => value)).toEqual(once);
    });
  });

  it('come back as the same objects when they hold none', () => {
    run(streamOf(prose), (stream) => {
      const chunks = chunksOf(name, shape, stream);
      chunked(taught(), chunks).forEach(({ value, findings }, index) => {
        expect(value).toBe(chunks[index]);
        expect(findings).toEqual([]);
      });
    });
  });

  it.each(Object.entries(framings))('hold no secret as %s, which stay sound', (_framing, { write, read }) => {
    run(
      fc.tuple(streamOf(secretive), fc.integer({ min: 2, max: 200 }), fc.nat(2)),
      ([stream, size, kind]) => {
        const parsed = chunksOf(name, shape, stream);
        const raw = piecesOf(write(parsed), size).map((piece, i) => ((i + kind) % 3 < kind ? bytesOf(piece) : piece));
        const given = chunked(taught(), raw).map(({ value }) => value);
        expect(given).toHaveLength(raw.length);
        const frames = read(given.map(textOf).join(''));
        expect(frames).toHaveLength(parsed.length);
        for (const text of textsOf(shape, frames)) expectNoSecret(text);
        expect(chunked(taught(), given).map(({ value }) => value)).toEqual(given);
      },
      RAW_RUNS,
    );
  });

  it.each(Object.entries(framings))(
    'come back as the same objects as %s when they hold none',
    (_framing, { write }) => {
      run(fc.tuple(streamOf(prose), fc.integer({ min: 2, max: 200 })), ([stream, size]) => {
        const raw = piecesOf(write(chunksOf(name, shape, stream)), size);
        expect(chunked(taught(), raw).map(({ value }) => value)).toEqual(raw);
      });
    },
  );
});
