import type { WholeExchange } from './exchange.js';
import { saidBy } from './whole-body.js';

const NAME = 'HttpError';
/** Of a text that stands in the place of a provider's message. */
const LONGEST = 300;

/** A response that tells of an error: recorded as one, given to the caller of `fetch` as the response that it is. */
export interface HttpError extends Error {
  readonly status: number;
  readonly response: WholeExchange;
}

export function toHttpError(response: WholeExchange): HttpError {
  const { status, statusText, body } = response;
  const said = saidIn(saidBy(body));
  const title = ['HTTP', status, statusText].filter((part) => part !== undefined).join(' ');
  const error = new Error(said === undefined ? title : `${title}: ${said}`);
  error.name = NAME;
  return Object.assign(error, { status, response });
}

/** Also of one that was rebuilt from a recording. */
export function isHttpError(thrown: unknown): thrown is HttpError {
  if (typeof thrown !== 'object' || thrown === null) return false;
  const { name, status, response } = thrown as Partial<HttpError>;
  return name === NAME && typeof status === 'number' && typeof response === 'object' && response !== null;
}

/** Where providers put it: `{ error: { message } }`, `{ error }`, `{ message }`; else the text. */
function saidIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body.length > LONGEST ? `${body.slice(0, LONGEST)}…` : body || undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message } = body as { readonly error?: unknown; readonly message?: unknown };
  if (typeof message === 'string') return message;
  return error === undefined ? undefined : saidIn(error);
}
