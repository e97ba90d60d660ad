import { type Readable, Writable } from 'node:stream';

/** What a consumer was given, and how it came to its end. */
export interface Seen {
  readonly chunks: number[];
  readonly end: 'done' | 'stopped' | { readonly thrown: unknown };
}

/** What a consumer of its own mind throws inside a loop. */
const STOP = new Error('stop');
const REASON = 'enough';

export async function loop(stream: AsyncIterable<number | Uint8Array> | Iterable<number>, most: number): Promise<Seen> {
  const chunks: number[] = [];
  try {
    for await (const chunk of stream) {
      chunks.push(toNumber(chunk));
      if (chunks.length === most) break;
    }
  } catch (thrown) {
    return { chunks, end: { thrown } };
  }
  return { chunks, end: chunks.length === most ? 'stopped' : 'done' };
}

export async function loopSync(stream: Iterable<number>, most: number): Promise<Seen> {
  const chunks: number[] = [];
  try {
    for (const chunk of stream) {
      chunks.push(chunk);
      if (chunks.length === most) break;
    }
  } catch (thrown) {
    return { chunks, end: { thrown } };
  }
  return { chunks, end: chunks.length === most ? 'stopped' : 'done' };
}

/** A consumer that throws inside its loop. */
export async function loopThrowing(stream: AsyncIterable<number>, most: number): Promise<Seen> {
  const chunks: number[] = [];
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunks.length === most) throw STOP;
    }
  } catch (thrown) {
    return { chunks, end: thrown === STOP ? 'stopped' : { thrown } };
  }
  return { chunks, end: 'done' };
}

export async function byReader(stream: ReadableStream<number | Uint8Array>, most: number): Promise<Seen> {
  const reader = stream.getReader();
  const chunks: number[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { chunks, end: 'done' };
      chunks.push(toNumber(value));
      if (chunks.length < most) continue;
      await reader.cancel(REASON);
      return { chunks, end: 'stopped' };
    }
  } catch (thrown) {
    return { chunks, end: { thrown } };
  }
}

export async function byBuffer(stream: ReadableStream<Uint8Array>, most: number): Promise<Seen> {
  const reader = stream.getReader({ mode: 'byob' });
  const chunks: number[] = [];
  let buffer = new ArrayBuffer(8);
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(buffer, 2, 4));
      if (done) return { chunks, end: 'done' };
      buffer = value.buffer as ArrayBuffer;
      chunks.push(toNumber(value));
      if (chunks.length < most) continue;
      await reader.cancel(REASON);
      return { chunks, end: 'stopped' };
    }
  } catch (thrown) {
    return { chunks, end: { thrown } };
  }
}

export async function byWebPipe(stream: ReadableStream<number>, most: number): Promise<Seen> {
  const chunks: number[] = [];
  const abort = new AbortController();
  const sink = new WritableStream<number>(
    {
      write(chunk) {
        chunks.push(chunk);
        if (chunks.length === most) throw STOP;
      },
    },
    { highWaterMark: 1 },
  );
  try {
    await stream.pipeTo(sink, { signal: abort.signal });
  } catch (thrown) {
    return { chunks, end: thrown === STOP ? 'stopped' : { thrown } };
  }
  return { chunks, end: 'done' };
}

export function byListener(stream: Readable, most: number): Promise<Seen> {
  const chunks: number[] = [];
  return new Promise((resolve) => {
    let end: Seen['end'] = 'done';
    stream.on('data', (chunk: number) => {
      chunks.push(chunk);
      if (chunks.length !== most) return;
      end = 'stopped';
      stream.destroy();
    });
    stream.on('error', (thrown) => {
      end = { thrown };
    });
    stream.on('close', () => resolve({ chunks, end }));
  });
}

export function byReading(stream: Readable, most: number): Promise<Seen> {
  const chunks: number[] = [];
  return new Promise((resolve) => {
    let end: Seen['end'] = 'done';
    stream.on('readable', () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
        chunks.push(chunk as number);
        if (chunks.length !== most) continue;
        end = 'stopped';
        stream.destroy();
        return;
      }
    });
    stream.on('error', (thrown) => {
      end = { thrown };
    });
    stream.on('close', () => resolve({ chunks, end }));
  });
}

export function byNodePipe(stream: Readable, most: number): Promise<Seen> {
  const chunks: number[] = [];
  return new Promise((resolve) => {
    let end: Seen['end'] = 'done';
    const sink = new Writable({
      objectMode: true,
      highWaterMark: 1,
      write(chunk: number, _encoding, written) {
        chunks.push(chunk);
        if (chunks.length === most) {
          end = 'stopped';
          stream.destroy();
        }
        setImmediate(written);
      },
    });
    stream.on('error', (thrown) => {
      end = { thrown };
    });
    stream.on('close', () => setImmediate(() => resolve({ chunks, end })));
    stream.pipe(sink);
  });
}

function toNumber(chunk: number | Uint8Array): number {
  return typeof chunk === 'number' ? chunk : (chunk[0] ?? Number.NaN);
}
