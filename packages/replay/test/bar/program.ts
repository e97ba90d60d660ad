import { createRandom, type Random } from './random.js';

/** How an instrumented function is written. */
export type Form = 'async' | 'promise' | 'sync' | 'llm';

export interface Call {
  readonly type: 'call';
  /** The place in the code. */
  readonly site: string;
  readonly form: Form;
  readonly tool: string;
  readonly input: number;
  /** Its input also tells what was answered so far, in that order: a conversation. */
  readonly remembers: boolean;
  /** Times that it fails before it succeeds. */
  readonly failures: number;
  /** It answers at once, by promise callbacks alone. */
  readonly isInstant: boolean;
  /** Never answers within the run. */
  readonly hangs: boolean;
  /** What its body does: instrumented calls of its own. */
  readonly body: Step | null;
}

/** What a streaming function gives. */
export type StreamForm = 'async-generator' | 'async-iterable' | 'web' | 'node' | 'generator';

/** A streaming call, and how it is read. */
export interface Stream {
  readonly type: 'stream';
  readonly site: string;
  readonly form: StreamForm;
  readonly tool: string;
  readonly input: number;
  /** How many chunks it has. */
  readonly length: number;
  /** It throws after them. */
  readonly fails: boolean;
  /** How many are read. */
  readonly reads: number;
  /** How the reader stops before the end. */
  readonly stops: 'cancels' | 'abandons';
  /** What is done after each chunk. */
  readonly each: Step | null;
}

/** A piece of an agent. */
export type Step =
  | Call
  | Stream
  | { readonly type: 'seq' | 'all' | 'settled' | 'race' | 'any'; readonly steps: readonly Step[] }
  /** An uninstrumented wait, in milliseconds. */
  | { readonly type: 'wait'; readonly site: string; readonly ms: number }
  /** A race against an uninstrumented wait. */
  | { readonly type: 'timeout'; readonly site: string; readonly ms: number; readonly step: Step }
  /** The same call again until it succeeds, waiting in between. */
  | { readonly type: 'retry'; readonly call: Call; readonly attempts: number; readonly backoff: number }
  /** The same call `times` times over, each answer asked for after the last. */
  | { readonly type: 'poll'; readonly call: Call; readonly times: number; readonly pause: number }
  /** Goes one way or another by what `step` answers. */
  | { readonly type: 'branch'; readonly step: Step; readonly arms: readonly [Step, Step] }
  /** Not awaited. */
  | { readonly type: 'background'; readonly step: Step };

const STREAM_FORMS: readonly StreamForm[] = [
  'async-generator',
  'async-generator',
  'async-iterable',
  'web',
  'node',
  'generator',
];
const FORMS: readonly Form[] = ['async', 'async', 'promise', 'sync', 'llm'];
const LONGEST_WAIT = 60;

/** An agent made of everything that agents are made of. */
export function generateProgram(seed: number): Step {
  return new Generator(createRandom(seed)).program();
}

class Generator {
  readonly #random: Random;
  #sites = 0;
  /** So that programs stay small enough to run by the thousand. */
  #budget: number;
  /** Uninstrumented waits that are left. In most programs there are few, so that no two are going on at once. */
  #waits: number;
  /** How many of its calls answer at once. */
  readonly #instant: number;

  constructor(random: Random) {
    this.#random = random;
    this.#budget = random.int(4, 16);
    this.#waits = random.pick([0, 1, 1, 2, 8]);
    this.#instant = random.pick([0, 0, 0, 0.5]);
  }

  program(): Step {
    const steps: Step[] = [];
    while (this.#budget > 0) steps.push(this.#step(3));
    return { type: 'seq', steps };
  }

  #step(depth: number): Step {
    const random = this.#random;
    if (depth === 0 || this.#budget <= 0) return this.#call(0);
    const kind = random.int(0, 99);
    if (kind < 23) return this.#call(depth);
    if (kind < 30) return this.#stream(depth);
    if (kind < 40) return { type: 'seq', steps: this.#steps(depth) };
    if (kind < 55) return { type: random.pick(['all', 'all', 'settled'] as const), steps: this.#steps(depth) };
    if (kind < 65) return { type: random.pick(['race', 'any'] as const), steps: this.#steps(depth) };
    if (kind < 80) return this.#wait(depth, kind < 73);
    if (kind < 86) return this.#retry();
    if (kind < 91) return this.#poll();
    if (kind < 96) {
      const arms = [this.#step(depth - 1), this.#step(depth - 1)] as const;
      return { type: 'branch', step: this.#step(depth - 1), arms };
    }
    return { type: 'background', step: this.#step(depth - 1) };
  }

  #wait(depth: number, isTimeout: boolean): Step {
    if (this.#waits === 0) return this.#step(depth);
    this.#waits--;
    const wait = { site: this.#site(), ms: this.#ms() };
    return isTimeout ? { type: 'timeout', ...wait, step: this.#step(depth - 1) } : { type: 'wait', ...wait };
  }

  #steps(depth: number): readonly Step[] {
    return Array.from({ length: this.#random.int(2, 4) }, () => this.#step(depth - 1));
  }

  #call(depth: number): Call {
    this.#budget--;
    const random = this.#random;
    const form = random.pick(FORMS);
    const isNested = depth > 0 && form !== 'sync' && random.chance(0.15);
    return {
      type: 'call',
      site: this.#site(),
      form,
      // Few tools and few inputs, so that identical calls are common.
      tool: `${form}-${random.int(1, 2)}`,
      input: random.int(1, 5),
      remembers: random.chance(0.4),
      failures: random.chance(0.1) ? 1 : 0,
      isInstant: random.chance(this.#instant),
      hangs: form !== 'sync' && random.chance(0.03),
      body: isNested ? this.#step(depth - 1) : null,
    };
  }

  #stream(depth: number): Stream {
    this.#budget--;
    const random = this.#random;
    const form = random.pick(STREAM_FORMS);
    const length = random.int(0, 4);
    return {
      type: 'stream',
      site: this.#site(),
      form,
      tool: `${form}-${random.int(1, 2)}`,
      input: random.int(1, 5),
      length,
      fails: random.chance(0.15),
      reads: random.chance(0.6) ? Number.POSITIVE_INFINITY : random.int(0, length),
      stops: random.chance(0.7) ? 'cancels' : 'abandons',
      each: random.chance(0.25) ? this.#step(Math.max(0, depth - 2)) : null,
    };
  }

  #retry(): Step {
    const call = { ...this.#call(0), remembers: false, failures: this.#random.int(0, 2), hangs: false };
    return { type: 'retry', call, attempts: 3, backoff: this.#pause() };
  }

  #poll(): Step {
    const call = { ...this.#call(0), remembers: false, failures: 0, hangs: false };
    return { type: 'poll', call, times: this.#random.int(2, 4), pause: this.#pause() };
  }

  #pause(): number {
    if (this.#waits === 0) return 0;
    this.#waits--;
    return this.#ms();
  }

  #ms(): number {
    return this.#random.int(3, LONGEST_WAIT);
  }

  #site(): string {
    return `s${this.#sites++}`;
  }
}
