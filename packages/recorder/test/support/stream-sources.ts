import { Readable } from 'node:stream';

/** What a stream is to give: chunks, and then an end or an error. */
export interface Plan {
  readonly chunks: readonly number[];
  readonly fails: boolean;
}

export const refused = new RangeError('no more');

export function* generate({ chunks, fails }: Plan, log: string[]): Generator<number, string> {
  try {
    log.push('started');
    for (const chunk of chunks) {
      log.push(`asked ${chunk}`);
      yield chunk;
    }
    log.push('asked for the end');
    if (fails) throw refused;
    return 'end';
  } finally {
    log.push('cleaned up');
  }
}

export async function* generateLater(plan: Plan, log: string[]): AsyncGenerator<number, string> {
  return yield* generate(plan, log);
}

export class Steps implements Iterator<number> {
  readonly #of: Iterator<number>;
  constructor(plan: Plan, log: string[]) {
    this.#of = generate(plan, log);
  }
  next(): IteratorResult<number> {
    return this.#of.next();
  }
  return(): IteratorResult<number> {
    return this.#of.return?.() ?? { done: true, value: undefined };
  }
  [Symbol.iterator](): this {
    return this;
  }
}

/** With an accessor, a private field, and members. */
export class Completion implements AsyncIterable<number> {
  readonly id = 'c-1';
  readonly controller = new AbortController();
  readonly #plan: Plan;
  readonly #log: string[];
  constructor(plan: Plan, log: string[]) {
    this.#plan = plan;
    this.#log = log;
  }
  get length(): number {
    return this.#plan.chunks.length;
  }
  [Symbol.asyncIterator](): AsyncIterator<number> {
    return generateLater(this.#plan, this.#log);
  }
}

export function selfIterator(
  plan: Plan,
  log: string[],
): AsyncIterable<number> & { next(): Promise<IteratorResult<number>> } {
  const steps = generate(plan, log);
  return {
    next: async () => steps.next(),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export function web(plan: Plan, log: string[]): ReadableStream<number> {
  const left = [...plan.chunks];
  return new ReadableStream<number>(
    {
      pull(controller) {
        const chunk = left.shift();
        log.push(`asked ${chunk}`);
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (plan.fails) controller.error(refused);
        else controller.close();
      },
      cancel(reason) {
        log.push(`cancelled: ${reason}`);
      },
    },
    { highWaterMark: 0 },
  );
}

export function webBytes(plan: Plan, log: string[]): ReadableStream<Uint8Array> {
  const left = [...plan.chunks];
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const chunk = left.shift();
      const request = controller.byobRequest;
      log.push(`asked ${chunk} ${request === null ? 'plainly' : 'into a buffer'}`);
      if (chunk === undefined) {
        if (plan.fails) {
          controller.error(refused);
          return;
        }
        controller.close();
        request?.respond(0);
      } else if (request?.view) {
        (request.view as Uint8Array)[0] = chunk;
        request.respond(1);
      } else {
        controller.enqueue(new Uint8Array([chunk]));
      }
    },
    cancel(reason) {
      log.push(`cancelled: ${reason}`);
    },
  });
}

export function node(plan: Plan, log: string[]): Readable {
  const left = [...plan.chunks];
  return new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      const chunk = left.shift();
      log.push(`asked ${chunk}`);
      if (chunk !== undefined) this.push(chunk);
      else if (plan.fails) this.destroy(refused);
      else this.push(null);
    },
    destroy(error, done) {
      log.push('destroyed');
      done(error);
    },
  });
}
