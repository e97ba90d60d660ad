import { isName } from '../../boundary/check.js';
import { isPlainObject } from '../../boundary/plain.js';
import type { RequestBody } from './body.js';
import { maySpeakProtocol, protocolOf, providerAt } from './providers.js';
import type { Target } from './target.js';

/** What a request is recorded as. */
export type Subject =
  | { readonly kind: 'llm'; readonly name: string; readonly provider: string }
  | { readonly kind: 'tool'; readonly name: string; readonly provider: null };

/** Whose requests are recorded. */
export interface Scope {
  /** That of every request to a host that is not known; null where those are no requests to a model. */
  readonly provider: string | null;
  /** Asked where a request names none. */
  readonly model: string | null;
  readonly http: boolean;
}

/** Whether a request may be one that is recorded, so that its body is to be read. */
export function isOfInterest({ method, url }: Target, { provider, http }: Scope): boolean {
  if (!/^https?:$/.test(url.protocol)) return false;
  return http || provider !== null || providerAt(url) !== null || maySpeakProtocol(method, url);
}

/** Null for a request that is not recorded. */
export function subjectOf({ url }: Target, body: RequestBody, { provider, model, http }: Scope): Subject | null {
  const fields = body.isJson && isPlainObject(body.value) ? body.value : formFields(body);
  const asked = providerAt(url) ?? provider ?? (body.isJson ? protocolOf(url, fields) : null);
  if (asked !== null) return { kind: 'llm', name: modelOf(url, fields) ?? model ?? 'unknown', provider: asked };
  return http ? { kind: 'tool', name: toolOf(url), provider: null } : null;
}

/** Name of the tool that any request to a host is. */
export function toolOf({ hostname }: URL): string {
  return `http:${hostname}`;
}

function formFields({ value }: RequestBody): Readonly<Record<string, unknown>> {
  return isPlainObject(value) && isPlainObject(value.fields) ? value.fields : {};
}

/** Azure, Google and Bedrock name the model in the path. */
const MODEL_IN_PATH = /\/(?:deployments|models?)\/([^/:]+)/;

function modelOf({ pathname }: URL, { model }: Readonly<Record<string, unknown>>): string | null {
  if (isName(model)) return model;
  const inPath = decoded(MODEL_IN_PATH.exec(pathname)?.[1]);
  return isName(inPath) ? inPath : null;
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
