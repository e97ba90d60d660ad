import type { ClientRequest, IncomingMessage } from 'node:http';
import { besideOf } from './beside.js';
import type { Connection } from './connection.js';
import { hasBody, messageHeaders } from './headers.js';
import { hintsToTell } from './hints.js';
import { nextTurn } from './next-turn.js';
import { tapEmits } from './tap-emits.js';
import { CHUNKED, chunkBytes, endBytes, headBytes } from './wire.js';

/**
 * Says over a connection what a recording has of an answer: its head at once, and its body as it comes.
 *
 * @returns settles when all is said; rejects with what the body breaks off with
 */
export async function giveResponse(response: Response, request: ClientRequest, connection: Connection): Promise<void> {
  const { status, headers, body } = response;
  const { hints = [] } = besideOf(response);
  for (const hint of hintsToTell(hints, request)) connection.push(headBytes(hint, Object.entries(hint.headers)));
  const told = [...headers].filter(([name]) => name !== CHUNKED[0]);
  if (!hasBody(status, request)) {
    connection.push(headBytes(response, told));
    return;
  }
  // A length that was recorded need not be that of what is given: secrets are left out of it.
  const carrying = [...told.filter(([name]) => name !== 'content-length'), CHUNKED];
  tapEmits(request, (event, [first], tell) => {
    // Whatever carries it, it says what the recorded one said.
    if (event === 'response' && headers.has('content-length'))
      Object.assign(first as IncomingMessage, messageHeaders(told));
    return tell();
  });
  connection.push(headBytes(response, carrying));
  if (body !== null) await carry(body.getReader(), connection);
  connection.push(endBytes(besideOf(response).trailers));
}

async function carry(reader: ReadableStreamDefaultReader<Uint8Array>, connection: Connection): Promise<void> {
  connection.onceGone(() => void reader.cancel().catch(() => {}));
  // A program may go on at the head, or give the answer up at it.
  await nextTurn();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value.length > 0) connection.push(chunkBytes(value));
  }
}
