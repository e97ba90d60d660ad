import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A request as it came over the wire. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
}

/** What the server answers: a document, or pieces that it writes one by one. */
export interface WireAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly pieces?: readonly (string | Uint8Array)[];
  /** Before the answer begins. */
  readonly delayMs?: number;
  /** Between pieces. */
  readonly gapMs?: number;
}

/** What of a server depends on what it is asked alone. */
export type Answers = (request: WireRequest, number: number) => WireAnswer;

export interface WireServer {
  readonly origin: string;
  readonly requests: readonly WireRequest[];
  /** How many connections were given up by the client before their answer was complete. */
  readonly abandoned: () => number;
  /** From now on nobody is answered, as if nobody were there; who comes all the same is counted. */
  readonly stop: () => void;
  /** How many requests came since `stop`. Connections are no measure: Node's fetch keeps some for nobody. */
  readonly knocks: () => number;
  readonly close: () => Promise<void>;
}

/** A server on this machine that speaks HTTP as a provider does, and counts. */
export async function startWireServer(answer: Answers): Promise<WireServer> {
  const requests: WireRequest[] = [];
  let abandoned = 0;
  let knocks = 0;
  let isStopped = false;
  const server = createServer((incoming, response) => {
    if (isStopped) {
      knocks++;
      incoming.destroy();
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) abandoned++;
    });
    void serve(incoming, response);
  });
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await read(incoming);
    requests.push(request);
    await write(response, answer(request, requests.length));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    abandoned: () => abandoned,
    stop() {
      isStopped = true;
    },
    knocks: () => knocks,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(incoming: IncomingMessage): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
  const { method = '', url = '', headers } = incoming;
  return { method, path: url, headers, body: isJson ? JSON.parse(text) : text };
}

async function write(response: ServerResponse, answer: WireAnswer): Promise<void> {
  const { status = 200, headers = {}, json, text, pieces, delayMs = 0, gapMs = 2 } = answer;
  if (delayMs > 0) await setTimeout(delayMs);
  const type = json !== undefined ? 'application/json' : pieces !== undefined ? 'text/event-stream' : 'text/plain';
  response.writeHead(status, { 'content-type': type, ...headers });
  for (const piece of pieces ?? []) {
    if (response.destroyed) return;
    response.write(piece);
    await setTimeout(gapMs);
  }
  response.end(json === undefined ? text : JSON.stringify(json));
}

/** Where a request goes, without its query. */
export function pathOf({ path }: WireRequest): string {
  return new URL(path, 'http://127.0.0.1').pathname;
}

/** Events as a stream of them is written. */
export function sse(...events: readonly unknown[]): string[] {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
}

/** Events that say what they are in a line of their own, too. */
export function typedSse(events: readonly { readonly type: string }[]): string[] {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** Cut where no event and no character ends. */
export function inOddPieces(content: string | Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(content);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 97) pieces.push(bytes.subarray(at, at + 97));
  return pieces;
}
