import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { recordedHeaders } from '@stepfork/recorder/fetch';
import type { Beside, Hint } from './beside.js';
import { brokenOff, isBrokenOff, toRecorded } from './broken-request.js';
import { hasBody, headersOf } from './headers.js';
import { hintOf } from './hints.js';
import { IncomingBody } from './incoming-body.js';
import { liveAnswer } from './live-answer.js';
import { nextTurn } from './next-turn.js';
import type { Sent } from './once-sent.js';
import { tapEmits } from './tap-emits.js';
import { unpacked } from './unpacked.js';
import { type Tell, Untold } from './untold.js';
import { watchDestroy } from './watch-destroy.js';

/** What tells something of an answer, or that there is none. */
const TELLING: readonly (string | symbol)[] = ['response', 'upgrade', 'error', 'close'];

/**
 * A request that is really made. What comes of it is recorded before the one who made it is told, so that whatever a
 * program does next comes after it.
 */
export class LiveRequest {
  /** What the recorder is given. */
  readonly answer: Promise<Response>;
  /** Aborted where the program gives it up before anything is known of its answer. */
  readonly givenUp: AbortSignal;
  readonly #request: ClientRequest;
  readonly #sent: Sent;
  readonly #giver = new AbortController();
  readonly #untold = new Untold();
  readonly #hints: Hint[] = [];
  #answered: { readonly resolve: (answer: Promise<Response>) => void; readonly reject: (error: Error) => void };
  #body: IncomingBody | null = null;
  /** Tells of the answer's head. */
  #head: Tell | null = null;
  #isHeadTold = false;
  #response: IncomingMessage | null = null;
  #isTimedOut = false;
  #isBroken = false;
  #isGivenUp = false;
  #stop: () => void = () => {};
  readonly #isStopped = new Promise<void>((resolve) => {
    this.#stop = resolve;
  });

  /** @param sent begun before anything of its answer, or of its end, is told: its body need not be written by then */
  constructor(request: ClientRequest, sent: Sent) {
    this.#request = request;
    this.#sent = sent;
    this.givenUp = this.#giver.signal;
    this.#answered = { resolve: () => {}, reject: () => {} };
    this.answer = new Promise((resolve, reject) => {
      this.#answered = { resolve, reject };
    });
    this.answer.catch(() => {});
    const { destroy } = request;
    request.destroy = (error) => {
      this.#giveUp();
      return Reflect.apply(destroy, request, [error]) as ClientRequest;
    };
    tapEmits(request, (event, [first], tell) => {
      if (TELLING.includes(event) && !this.#untold.isOver) sent.now();
      if (this.#untold.isOver) return tell();
      switch (event) {
        case 'socket':
          watchDestroy(first as Socket, (error) => {
            if (error === undefined && this.#isSpoken(first as Socket)) this.#giveUp();
          });
          return tell();
        case 'timeout':
          this.#isTimedOut = true;
          return tell();
        case 'information':
          this.#hints.push(hintOf(first as IncomingMessage));
          return tell();
        case 'response':
          this.#begin(first as IncomingMessage, tell);
          return true;
        case 'upgrade':
          // What comes of it is another protocol's.
          this.#answered.resolve(this.#answerOf(first as IncomingMessage, false));
          this.letGo();
          return tell();
        case 'error':
          this.#fail(first as Error);
          return this.#later(event, tell);
        case 'close':
          // Of one that failed, this is told after its error; nothing else comes in its stead.
          if (this.#head === null) this.#fail(brokenOff());
          return this.#later(event, tell);
        default:
          return tell();
      }
    });
  }

  /** Gives the program what is recorded, as it is. */
  async passOn(recorded: Promise<Response>): Promise<void> {
    try {
      const { body } = await recorded;
      if (this.#head !== null) this.#untold.tellUpTo(this.#head);
      this.#body?.letGo();
      if (body !== null) await this.#read(body.getReader());
    } catch {
      // It breaks off for the one who asked, too, once that one has read what came before.
      await nextTurn();
    } finally {
      this.#untold.tellAll();
    }
  }

  /** What is recorded is what is read, and this is all that reads it. */
  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    void this.#isStopped.then(() => reader.cancel()).catch(() => {});
    for (let isOver = false; !isOver; ) isOver = (await reader.read()).done;
  }

  #begin(response: IncomingMessage, tell: () => boolean): void {
    this.#response = response;
    this.#head = this.#untold.add(() => {
      this.#isHeadTold = true;
      // Node would have thrown its body away.
      if (!tell()) response.resume();
    });
    const { destroy } = response;
    const destroyed = (error: Error | undefined): IncomingMessage =>
      Reflect.apply(destroy, response, [error]) as IncomingMessage;
    response.destroy = (error) => {
      // So Node ends an answer whose connection is gone. What came before is read first.
      if (error === undefined || !isBrokenOff(error) || this.#untold.isOver) {
        this.#giveUp();
        return destroyed(error);
      }
      this.#fail(brokenOff());
      this.#untold.add(() => void destroyed(error));
      return response;
    };
    // An agent may use the connection again, once this answer is over.
    const untap = tapEmits(response.socket, (event, _args, tellClosed) => {
      if (event !== 'close' || this.#untold.isOver) return tellClosed();
      this.#fail(brokenOff());
      this.#untold.add(tellClosed);
      return true;
    });
    this.#body = new IncomingBody(response, this.#untold, untap);
    this.#answered.resolve(this.#answerOf(response, hasBody(response.statusCode ?? 200, this.#request)));
  }

  /** Asynchronous, so that what no `Response` can have is no error of the program's. */
  async #answerOf(response: IncomingMessage, isWithBody: boolean): Promise<Response> {
    const headers = headersOf(response);
    const { statusCode: status = 200, statusMessage: statusText = '' } = response;
    const saying = isWithBody && this.#body ? unpacked(this.#body, headers.get('content-encoding')) : null;
    const beside: Beside = {
      timedOut: this.#isTimedOut,
      hints: this.#hints.length === 0 ? undefined : this.#hints,
      get trailers() {
        const { rawTrailers } = response;
        return rawTrailers.length === 0 ? undefined : recordedHeaders(headersOf({ rawHeaders: rawTrailers }));
      },
    };
    return liveAnswer({ status, statusText, headers }, beside, saying, this.#isStopped, ({ piece }) => {
      if (piece !== null) this.#untold.tellUpTo(piece.tell);
    });
  }

  /** It is not recorded: the program is told all as it comes. */
  letGo(): void {
    this.#untold.tellAll();
  }

  #fail(error: Error): void {
    if (this.#isBroken || (this.#isGivenUp && this.#head !== null)) return;
    this.#isBroken = true;
    const recorded = toRecorded(error, this.#isTimedOut);
    this.#answered.reject(recorded);
    this.#body?.fail(recorded);
  }

  /** Whether an answer is still to come over it: Node itself destroys it only where none is. */
  #isSpoken(socket: Socket): boolean {
    const isListenedTo = Boolean(Reflect.get(this.#request, 'parser'));
    return isListenedTo && !socket.readableEnded && this.#response?.complete !== true;
  }

  #giveUp(): void {
    if (this.#isBroken) return;
    this.#isGivenUp = true;
    if (this.#head !== null) {
      this.#stop();
      // All that is still told is what comes of the program's own act.
      if (this.#isHeadTold) this.letGo();
    } else if (this.#sent.isBegun()) this.#giver.abort();
    // Nothing of it was sent, or not all: it comes to nothing that is recorded.
    else this.letGo();
  }

  #later(event: string, tell: () => boolean): boolean {
    this.#untold.add(tell);
    return this.#request.listenerCount(event) > 0;
  }
}
