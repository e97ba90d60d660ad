import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import timers from 'node:timers';
import { FetchResponse, type RequestController } from '@mswjs/interceptors';
import { type Beside, besideOf } from './beside.js';
import { fromRecorded, isBrokenOff } from './broken-request.js';
import { messageHeaders } from './headers.js';
import { giveHint } from './hints.js';
import { tapEmits } from './tap-emits.js';

/** As it was when the module was loaded: a test runner may replace it. */
const { setImmediate } = timers;

/** Gives a request the recorded answer: its head at once, and its body as the recording has it. */
export function giveResponse(response: Response, request: ClientRequest, controller: RequestController): void {
  const { status, statusText, headers } = response;
  const beside = besideOf(response);
  // One that is answered has a connection, as far as it can tell.
  const body = response.body === null ? null : carried(response.body, request.socket as Socket);
  const carrying = body === null ? headers : carryingHeaders(headers);
  const told = headers.has('content-length') ? headers : carrying;
  tapEmits(request, (event, [first], tell) => {
    if (event === 'response') dress(first as IncomingMessage, told, beside);
    return tell();
  });
  controller.respondWith(new FetchResponse(body, { status, statusText, headers: carrying }));
  for (const hint of beside.hints ?? []) giveHint(hint, request);
  // What was set by an option or a method; no type has it.
  keepTime(request.socket as Socket, Reflect.get(request, 'timeout') as number | undefined);
}

/** A connection that falls silent for long says so, and counts from the last that came. */
function keepTime(socket: Socket, ms: number | undefined): void {
  const time = socket.timeout || ms;
  if (time !== undefined && time > 0) socket.setTimeout(time);
}

/** A length that was recorded need not be that of what is given: secrets are left out of it. */
function carryingHeaders(headers: Headers): Headers {
  const carrying = new Headers(headers);
  carrying.delete('content-length');
  carrying.set('transfer-encoding', 'chunked');
  return carrying;
}

/** Gives an answer the recorded headers, whatever carried it here, and its trailers once its body is over. */
function dress(response: IncomingMessage, headers: Headers, beside: Beside): void {
  Object.assign(response, messageHeaders([...headers]));
  const { push } = response;
  response.push = (bytes: Uint8Array | null, encoding) => {
    if (bytes === null && beside.trailers !== undefined) {
      const { headers: trailers, rawHeaders: rawTrailers } = messageHeaders(Object.entries(beside.trailers));
      Object.assign(response, { trailers, rawTrailers });
    }
    return Reflect.apply(push, response, [bytes, encoding]) as boolean;
  };
}

/** The body on its way to a program, which may give it up, and which may see it break off. */
function carried(body: ReadableStream<Uint8Array>, socket: Socket): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const { destroy } = socket;
  let isOver = false;
  const giveUp = (): void => {
    if (isOver) return;
    isOver = true;
    reader.cancel().catch(() => {});
  };
  socket.destroy = (error) => {
    giveUp();
    return Reflect.apply(destroy, socket, [error]) as Socket;
  };
  return new ReadableStream(
    {
      // An empty piece has the head sent, which would wait for the first one that is not.
      start: (controller) => controller.enqueue(new Uint8Array()),
      async pull(controller) {
        const step = await reader.read().catch((thrown: Error) => thrown);
        // Nothing can be carried over a connection that is gone.
        if (isOver) return never();
        if (!('done' in step)) {
          isOver = true;
          // What was sent before is to be there first.
          setImmediate(() => breakOff(socket, step));
          return never();
        }
        if (!step.done) {
          keepTime(socket, undefined);
          return controller.enqueue(step.value);
        }
        isOver = true;
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function breakOff(socket: Socket, thrown: Error): void {
  const { error } = fromRecorded(thrown);
  // Node makes that one of an answer whose connection is gone.
  socket.destroy(isBrokenOff(error) ? undefined : error);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
