import { llmRequest, traceTool } from '@stepfork/recorder';
import type { Call, Step } from './program.js';

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

/** One run of a program: its instrumented functions, and what the test itself saw of it. */
export interface World {
  /** By site and attempt. */
  readonly seen: Map<string, Seen>;
  readonly moments: Moment[];
  /** Real bodies that ran. */
  bodies: number;
  /** By how many milliseconds the latest timer fired late: a machine that is starved of time upsets every order. */
  lateness: number;
  readonly run: (program: Step) => Promise<unknown>;
}

const HANG_MS = 400;

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
  /** What the agent's own calls were answered, in the order of the answers. */
  readonly #history: string[] = [];
  bodies = 0;
  lateness = 0;
  readonly #latency: (id: string) => number;
  readonly #tools = new Map<string, (input: Input) => unknown>();
  /** Set right before a call: its body, if it runs, starts at once. */
  #current: Current | null = null;

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
        return this.#wait(step.site, step.ms);
      case 'timeout':
        return Promise.race([
          this.#step(step.step, isOwn),
          this.#wait(step.site, step.ms).then(() => `timeout ${step.site}`),
        ]);
      case 'retry':
        return this.#retry(step, isOwn);
      case 'poll': {
        const results: unknown[] = [];
        for (let i = 0; i < step.times; i++) {
          if (i > 0 && step.pause > 0) await this.#wait(`${step.call.site}-pause`, step.pause);
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

  async #retry(step: Extract<Step, { type: 'retry' }>, isOwn: boolean): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#call(step.call, attempt, isOwn);
      } catch (error) {
        if (attempt + 1 >= step.attempts) return asText(error);
        if (step.backoff > 0) await this.#wait(`${step.call.site}-backoff`, step.backoff);
      }
    }
  }

  async #call(call: Call, attempt: number, isOwn: boolean): Promise<unknown> {
    const id = `${call.site}.${attempt}`;
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

  async #wait(site: string, ms: number): Promise<string> {
    this.#note('wait', site);
    await this.#sleep(ms);
    this.#note('woke', site);
    return 'waited';
  }

  async #sleep(ms: number): Promise<void> {
    const due = performance.now() + ms;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.lateness = Math.max(this.lateness, performance.now() - due);
  }

  #note(what: Moment['what'], site: string): void {
    this.moments.push({ at: performance.now(), what, site });
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
