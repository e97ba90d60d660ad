import { Socket } from 'node:net';
import timers from 'node:timers';
import type { TLSSocket } from 'node:tls';

/** As they were when the module was loaded: a test runner may replace them. */
const { clearTimeout, setImmediate, setTimeout } = timers;

type Run = <T>(body: () => T) => T;
type Done = (error?: Error | null) => void;

/** What a connection over TLS tells of itself. */
const SECURE = {
  encrypted: true,
  authorized: true,
  getProtocol: () => 'TLSv1.3',
  getSession: () => undefined,
  isSessionReused: () => false,
  getCipher: () => ({ name: 'AES256-SHA', standardName: 'TLS_RSA_WITH_AES_256_CBC_SHA', version: 'TLSv1.3' }),
};

/**
 * A connection that leads nowhere, for Node's own client to speak over: what a program is told, and in which order, is
 * Node's. What a server says is pushed into it.
 */
export class Connection extends Socket {
  declare connecting: boolean;
  declare timeout?: number;
  /** Settles when it is there, as far as anybody can tell. */
  readonly opened: Promise<void>;
  /** What was written, for a server that is asked after all; null once nobody will be. */
  #written: Buffer[] | null = [];
  readonly #run: Run;
  #isWritten = false;
  #isTimedOut = false;
  #real: Socket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #onWritten: () => void = () => {};
  #onGone: () => void = () => {};

  /** @param run calls in the run that it is a part of */
  constructor(isSecure: boolean, run: Run) {
    super();
    this.#run = run;
    this.connecting = true;
    this.opened = new Promise((resolve) => setImmediate(() => resolve(this.#open(isSecure))));
    if (isSecure) Object.assign(this, SECURE);
  }

  /** Whether the one who waits was told that it takes long. */
  get isTimedOut(): boolean {
    return this.#isTimedOut;
  }

  /** @param told when the head of a request is written, in the next turn */
  onceWritten(told: () => void): void {
    this.#onWritten = told;
  }

  /** @param told when it is given up, or breaks off */
  onceGone(told: () => void): void {
    this.#onGone = told;
    if (this.destroyed) told();
  }

  /** Has it lead to a server, by a connection to that. */
  leadTo(real: Socket): void {
    this.#real = real;
    for (const bytes of this.#written ?? []) real.write(bytes);
    this.#written = null;
    real.on('data', (bytes: Buffer) => this.push(bytes));
    real.on('end', () => this.push(null));
    real.on('error', (error) => this.destroy(error));
    real.on('close', () => this.destroy());
    real.on('secureConnect', () => Object.assign(this, { authorized: (real as TLSSocket).authorized }));
  }

  /** No server is asked any more. */
  leadNowhere(): void {
    this.#written = null;
  }

  /** By a timer that is the program's, as its others are: a replay has it end in its place. */
  override setTimeout(ms: number, onTimeout?: () => void): this {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.timeout = ms;
    if (ms > 0 && !this.destroyed) this.#timer = this.#run(() => setTimeout(() => this.#timeOut(), ms));
    if (onTimeout !== undefined) this[ms > 0 ? 'once' : 'off']('timeout', onTimeout);
    return this;
  }

  override push(bytes: Uint8Array | null): boolean {
    if (this.destroyed) return false;
    this.#timer?.refresh();
    return super.push(bytes);
  }

  override _read(): void {}

  override _write(piece: Buffer | string, encoding: BufferEncoding, done: Done): void {
    this._writev([{ chunk: piece, encoding }], done);
  }

  override _writev(pieces: { chunk: Buffer | string; encoding: BufferEncoding }[], done: Done): void {
    const bytes = Buffer.concat(
      pieces.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)),
    );
    this.#onceOpen(() => this.#take(bytes, done), done);
  }

  override _final(done: Done): void {
    this.#onceOpen(() => {
      this.#real?.end();
      done();
    }, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.connecting = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#real?.destroy();
    this.#onGone();
    done(error);
    // A real one is closed by the system, in a later turn.
    setImmediate(() => void this.emit('close', error !== null));
  }

  #open(isSecure: boolean): void {
    if (this.destroyed) return;
    this.connecting = false;
    this.#timer?.refresh();
    this.emit('lookup', null, '127.0.0.1', 4, 'localhost');
    this.emit('connect');
    this.emit('ready');
    if (isSecure) this.emit('secureConnect');
  }

  #timeOut(): void {
    this.#isTimedOut = true;
    this.emit('timeout');
  }

  #onceOpen(then: () => void, otherwise: Done): void {
    if (!this.connecting) then();
    else {
      const gone = (): void => otherwise(notOpened());
      this.once('close', gone).once('connect', () => {
        this.off('close', gone);
        then();
      });
    }
  }

  #take(bytes: Buffer, done: Done): void {
    this.#timer?.refresh();
    if (this.#real !== null) {
      this.#real.write(bytes, done);
      return;
    }
    this.#written?.push(bytes);
    done();
    if (!this.#isWritten) setImmediate(() => this.#onWritten());
    this.#isWritten = true;
  }
}

/** As Node has it. */
function notOpened(): Error {
  const error = new Error('Socket closed before the connection was established');
  return Object.assign(error, { code: 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION' });
}
