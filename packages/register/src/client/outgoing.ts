import type { ClientRequest } from 'node:http';
import { types } from 'node:util';

/** A body that is larger is not read: it is recorded as what it is, no data. */
const MOST_BYTES = 32 * 1024 * 1024;

type Write = ClientRequest['write'];
type End = ClientRequest['end'];

/** What a request asks for, told by what the program writes to it. The request itself is sent as ever. */
export class Outgoing {
  readonly #request: ClientRequest;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** @param onWhole told when the program has written all of it, before the last of it is sent */
  constructor(request: ClientRequest, onWhole: () => void) {
    this.#request = request;
    const write = request.write as (...args: unknown[]) => boolean;
    const end = request.end as (...args: unknown[]) => ClientRequest;
    request.write = ((...args: unknown[]) => {
      // What comes after its end is refused by Node, and is no part of it.
      if (!request.writableEnded) this.#take(args[0], args[1]);
      return Reflect.apply(write, request, args);
    }) as Write;
    request.end = ((...args: unknown[]) => {
      // A program may end it twice, and is told so by Node.
      if (!request.writableEnded) {
        this.#take(args[0], args[1]);
        onWhole();
      }
      return Reflect.apply(end, request, args);
    }) as End;
  }

  /** As a `fetch` would be given it. */
  get init(): RequestInit {
    const { method } = this.#request;
    const headers = new Headers();
    for (const [name, value] of Object.entries(this.#request.getHeaders())) {
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) append(headers, name, String(one));
    }
    return { method, headers, ...(this.#bytes === 0 ? {} : { body: this.#body() }) };
  }

  #body(): NonNullable<RequestInit['body']> {
    if (this.#bytes > MOST_BYTES) return new ReadableStream();
    return Uint8Array.from(Buffer.concat(this.#pieces));
  }

  #take(piece: unknown, encoding: unknown): void {
    const bytes = bytesOf(piece, encoding);
    if (bytes === null) return;
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_BYTES) this.#pieces.length = 0;
    // The program may use its memory again.
    else this.#pieces.push(Uint8Array.from(bytes));
  }
}

function bytesOf(piece: unknown, encoding: unknown): Uint8Array | null {
  if (typeof piece === 'string') {
    return Buffer.from(piece, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
  }
  return types.isUint8Array(piece) ? piece : null;
}

/** Node sends what a `Headers` refuses. */
function append(headers: Headers, name: string, value: string): void {
  try {
    headers.append(name, value);
  } catch {
    // It decides nothing of what is recorded.
  }
}
