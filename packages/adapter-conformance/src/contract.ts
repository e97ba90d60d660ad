import { isDeepStrictEqual } from 'node:util';
import { StepforkError } from '@stepfork/trace-format';
import type { WireServer } from './wire/server.js';

/** One demand on an adapter. */
export interface ConformanceCheck {
  /** Fit for a test's title: `replays with the server off: chat.completions.create`. */
  readonly name: string;
  /** Rejects with `not_conformant` where the adapter does not meet it. */
  readonly check: () => Promise<void>;
}

/** How a client is to be constructed. */
export interface Connection {
  readonly baseURL: string;
  readonly apiKey: string;
}

/** What is asked of a model, and how. */
export interface Question {
  readonly text: string;
  readonly model?: string;
  readonly signal?: AbortSignal;
  /** Base64, of a PNG. */
  readonly image?: string;
}

/** What the SDK's own way of running tools is given: the one tool that the servers' models know. */
export interface WeatherTool {
  readonly name: 'weather';
  readonly run: (input: { readonly city: string }) => Promise<string>;
}

/** An adapter, and how its SDK is used. What its functions answer is compared as JSON. */
export interface AdapterUnderTest<Client extends object> {
  /** Of every request to a host that is not known. */
  readonly provider: string;
  readonly serve: () => Promise<WireServer>;
  /** A new client, by the SDK's own means. */
  readonly connect: (connection: Connection) => Client;
  /** A client that asks somebody for its key with each request; absent where the SDK has no such. */
  readonly connectBy?: (baseURL: string, key: () => Promise<string>) => Client;
  /** What a client is made with and never sends, by which it signs. */
  readonly secrets?: readonly string[];
  /** Where the API lies below a server's origin: `/v1`. */
  readonly root: string;
  readonly instrument: (client: Client) => Client;
  /** Whether what it gives is another object: a function, whose own call cannot be changed in place. */
  readonly standsIn?: boolean;
  readonly ask: (client: Client, question: Question) => Promise<unknown>;
  readonly stream: (client: Client, question: Question) => Promise<AsyncIterable<unknown>>;
  /** By the SDK's own loop of model and tools, to its last answer. */
  readonly runTools: (client: Client, question: Question, tool: WeatherTool) => Promise<unknown>;
  /** Another client that the SDK makes of this one; absent where it has no way to. */
  readonly copy?: (client: Client) => Client;
  /** Every API that is to replay, each used once, under the name that the documentation has for it. */
  readonly apis: Readonly<Record<string, (client: Client) => Promise<unknown>>>;
}

export function notConformant(message: string): StepforkError {
  return new StepforkError('not_conformant', message);
}

export function demand(isMet: boolean, message: string): void {
  if (!isMet) throw notConformant(message);
}

/** Equal as JSON: what is left out there is no difference, nor is the realm of a value. */
export function demandEqual(what: string, actual: unknown, expected: unknown): void {
  const [left, right] = [plain(actual), plain(expected)];
  if (!isDeepStrictEqual(left, right)) {
    throw notConformant(`${what}: ${JSON.stringify(left)} instead of ${JSON.stringify(right)}`);
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
