import process from 'node:process';
import { llmRequest, traceTool } from '@stepfork/recorder';
import type { Call, Step, Stream } from './program.js';
import { type Chunk, iteratorOf, streamOf } from './streams.js';

/** What a generated tool is given. */
export interface Input {
  readonly v: number;
  readonly history?: string;
}

/** What a call of the program saw. */
export interface Seen {
  readonly key: string;
  readonly answer: string;
}

/** Something that happened in a run, in order. */
export interface Moment {
  readonly at: number;
  readonly what: 'call' | 'answer' | 'wait' | 'woke';
  readonly site: string;
}

/** From when to when the agent itself waited; to when it would have, where the run ended first. */
export interface Wait {
  readonly from: number;
  readonly to: number;
  readonly mark: Readonly<WaitMark>;
}

interface WaitMark {
  /** When that was over for which it was a timeout: nothing comes of its end after that. */
  overAt?: number;
}

/** One run of a program: its instrumented functions, and what the test itself saw of it. */
export interface World {
  /** By site and attempt. */
  readonly seen: Map<string, Seen>;
  readonly moments: Moment[];
  /** The agent's own. */
  readonly waits: Wait[];
  /** Real bodies that ran. */
  bodies: number;
  /** By how many milliseconds the latest timer fired late: a machine that is starved of time upsets every order. */
  lateness: number;
  readonly run: (program: Step) => Promise<unknown>;
}

const HANG_MS = 400;

/** Milliseconds of the real clock, also within a replay. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** @param latency how long the call of this site and attempt takes */
export function createWorld(latency: (id: string) => number): World {
  return new ProgramWorld(latency);
}

interface Current {
  readonly call: Call;
  readonly id: string;
  readonly attempt: number;
}

class ProgramWorld implements World {
  readonly seen = new Map<string, Seen>();
  readonly moments: Moment[] = [];
  readonly waits: Wait[] = [];
  /** What the agent's own calls were answered, in the order of the answers. */
  readonly #history: string[] = [];
  readonly #visits = new Map<string, number>();
  bodies = 0;
  lateness = 0;
  readonly #latency: (id: string) => number;
  readonly #tools = new Map<string, (input: Input) => unknown>();
  /** Set right before a call: its body, if it runs, starts at once. */
  #current: Current | null = null;
  /** The same for a stream. */
  #streaming: Stream | null = null;

  constructor(latency: (id: string) => number) {
    this.#latency = latency;
  }

  readonly run = async (program: Step): Promise<unknown> => {
    const result = await this.#step(program, true);
    return { result, history: [...this.#history] };
  };

  async #step(step: Step, isOwn: boolean): Promise<unknown> {
    switch (step.type) {
      case 'call':
        return this.#call(step, 0, isOwn).catch(asText);
      case 'stream':
        return this.#stream(step, isOwn).catch(asText);
      case 'seq': {
        const results: unknown[] = [];
        for (const each of step.steps) results.push(await this.#step(each, isOwn));
        return results;
      }
      case 'all':
        return Promise.all(step.steps.map((each) => this.#step(each, isOwn)));
      case 'settled':
        return Promise.allSettled(step.steps.map((each) => this.#step(each, isOwn)));
      case 'race':
        return Promise.race(step.steps.map((each) => this.#step(each, isOwn)));
      case 'any':
        return Promise.any(step.steps.map((each) => this.#step(each, isOwn)));
      case 'wait':
        return this.#wait(step.site, step.ms, isOwn);
      case 'timeout':
        return this.#timeout(step, isOwn);
      case 'retry':
        return this.#retry(step, isOwn);
      case 'poll': {
        const results: unknown[] = [];
        for (let i = 0; i < step.times; i++) {
          if (i > 0 && step.pause > 0) await this.#wait(`${step.call.site}-pause`, step.pause, isOwn);
          results.push(await this.#call(step.call, i, isOwn).catch(asText));
        }
        return results;
      }
      case 'branch': {
        const answer = await this.#step(step.step, isOwn);
        return [answer, await this.#step(step.arms[JSON.stringify(answer).length % 2] as Step, isOwn)];
      }
      case 'background':
        this.#step(step.step, isOwn).catch(() => {});
        return 'in background';
    }
  }

  async #timeout(step: Extract<Step, { type: 'timeout' }>, isOwn: boolean): Promise<unknown> {
    const mark: WaitMark = {};
    const timer = this.#wait(step.site, step.ms, isOwn, mark).then(() => `timeout ${step.site}`);
    try {
      return await Promise.race([this.#step(step.step, isOwn), timer]);
    } finally {
      mark.overAt = now();
    }
  }

  async #stream(step: Stream, isOwn: boolean): Promise<unknown> {
    const { reads, stops } = step;
    const site = this.#visit(step.site);
    const input = { v: step.input };
    const results: unknown[] = [];
    const see = (part: string, answer: string): void => {
      this.seen.set(`${site}.${part}`, { key: keyOf(step.tool, input), answer });
      this.#note('answer', `${site}.${part}`);
      if (isOwn) this.#history.push(`${site}.${part}`);
    };
    this.#note('call', site);
    try {
      this.#streaming = step;
      const iterator = iteratorOf(this.#streamer(step)(input));
      for (let read = 0; read < reads; read++) {
        const { done, value } = await iterator.next();
        see(String(read), done === true ? 'end' : String(JSON.stringify(value)));
        if (done === true) return results;
        results.push([value, step.each === null ? null : await this.#step(step.each, isOwn)]);
      }
      if (stops === 'cancels') await iterator.return?.();
    } catch (error) {
      see('end', asText(error));
      throw error;
    }
    return results;
  }

  #streamer({ form, tool }: Stream): (input: Input) => unknown {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const made = traceTool(tool, (_input: Input) => {
      const step = this.#streaming as Stream;
      const run = ++this.bodies;
      return streamOf(form, {
        length: step.length,
        fails: step.fails,
        chunk: (index): Chunk => ({ from: `${step.site} ${index} ${run}` }),
        pause: (index) => this.#sleep(this.#latency(`${step.site}.${index}`)),
      });
    });
    this.#tools.set(tool, made);
    return made;
  }

  async #retry(step: Extract<Step, { type: 'retry' }>, isOwn: boolean): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#call(step.call, attempt, isOwn);
      } catch (error) {
        if (attempt + 1 >= step.attempts) return asText(error);
        if (step.backoff > 0) await this.#wait(`${step.call.site}-backoff`, step.backoff, isOwn);
      }
    }
  }

  async #call(call: Call, attempt: number, isOwn: boolean): Promise<unknown> {
    const id = this.#visit(`${call.site}.${attempt}`);
    const input = { v: call.input, ...(call.remembers ? { history: this.#history.join() } : {}) };
    const see = (answer: string): void => {
      this.seen.set(id, { key: keyOf(call.tool, input), answer });
      this.#note('answer', id);
      if (isOwn) this.#history.push(id);
    };
    this.#note('call', id);
    try {
      this.#current = { call, id, attempt };
      const answer = await this.#tool(call)(input);
      see(String(JSON.stringify(answer)));
      return answer;
    } catch (error) {
      see(asText(error));
      throw error;
    }
  }

  #tool(call: Call): (input: Input) => unknown {
    const known = this.#tools.get(call.tool);
    if (known !== undefined) return known;
    const tool = this.#instrument(call);
    this.#tools.set(call.tool, tool);
    return tool;
  }

  #instrument({ form, tool }: Call): (input: Input) => unknown {
    switch (form) {
      case 'async':
        return traceTool(tool, async (_input: Input) => this.#body());
      case 'promise':
        return traceTool(tool, (_input: Input) => this.#body());
      case 'sync':
        return traceTool(tool, (_input: Input) => this.#answer(this.#take()));
      case 'llm':
        return (input) => llmRequest({ provider: 'fake', model: tool, input, call: () => this.#body() });
    }
  }

  async #body(): Promise<unknown> {
    const current = this.#take();
    const inner = current.call.body === null ? null : await this.#step(current.call.body, false);
    const { isInstant, hangs } = current.call;
    if (hangs || !isInstant) await this.#sleep(hangs ? HANG_MS : this.#latency(current.id));
    return { ...this.#answer(current), inner };
  }

  #take(): Current {
    this.bodies++;
    return this.#current as Current;
  }

  /** No two answers are alike. */
  #answer({ call, id, attempt }: Current): { readonly from: string } {
    if (attempt < call.failures) throw new RangeError(`failure of ${id}`);
    return { from: `${id} ${this.bodies}` };
  }

  async #wait(site: string, ms: number, isOwn: boolean, mark: WaitMark = {}): Promise<string> {
    const from = this.#note('wait', site);
    const wait = { from, to: from + ms, mark };
    if (isOwn) this.waits.push(wait);
    await this.#sleep(ms);
    this.#note('woke', site);
    wait.to = now();
    return 'waited';
  }

  async #sleep(ms: number): Promise<void> {
    const due = now() + ms;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.lateness = Math.max(this.lateness, now() - due);
  }

  /** A name for this visit of a place in the code: what follows each chunk of a stream is visited again. */
  #visit(place: string): string {
    const visits = (this.#visits.get(place) ?? 0) + 1;
    this.#visits.set(place, visits);
    return visits === 1 ? place : `${place} (${visits})`;
  }

  #note(what: Moment['what'], site: string): number {
    const at = now();
    this.moments.push({ at, what, site });
    return at;
  }
}

/** What tells a call from others. */
export function keyOf(tool: string, input: unknown): string {
  return `${tool} ${JSON.stringify(input)}`;
}

function asText(error: unknown): string {
  const { name, message } = error as Error;
  return `${name}: ${message}`;
}
