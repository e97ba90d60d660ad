import type { WireAnswer, WireRequest } from './server.js';

/** What a provider's servers say where they say no, in the provider's own form. */
export interface Refusals {
  readonly ofKey: WireAnswer;
  readonly ofModel: WireAnswer;
  readonly busy: WireAnswer;
}

/** A key that servers take; any other is wrong. */
export const GOOD_KEY = 'sk-test-0123456789abcdef';
export const WRONG_KEY = 'sk-test-wrong-fedcba98765';

/** Models that are named for what they answer. */
export const MODELS = { missing: 'no-such-model', busyOnce: 'busy-once', downOnce: 'down-once' } as const;

/** Where a request says who asks: by a key of its provider, a token of AWS beside a signature, or one of anybody's. */
const KEYS = ['x-api-key', 'api-key', 'x-goog-api-key', 'x-amz-security-token'] as const;

/** Says no where a request is to be refused: by its key, and by its model and how often that was asked. */
export function troubles(refusals: Refusals): (request: WireRequest) => WireAnswer | null {
  const seen = new Map<string, number>();
  return ({ headers, body }) => {
    const named = KEYS.map((name) => headers[name]).find((value) => value !== undefined);
    const key = named ?? headers.authorization?.replace(/^Bearer /, '');
    if (key !== GOOD_KEY) return refusals.ofKey;
    const { model } = (body ?? {}) as { readonly model?: unknown };
    if (typeof model !== 'string') return null;
    const count = (seen.get(model) ?? 0) + 1;
    seen.set(model, count);
    if (model === MODELS.missing) return refusals.ofModel;
    if (model === MODELS.busyOnce && count === 1) return { ...refusals.busy, headers: { 'retry-after': '0.05' } };
    if (model === MODELS.downOnce && count === 1)
      return { status: 500, text: 'oops', headers: { 'retry-after-ms': '5' } };
    return null;
  };
}

/** The cities of which a question speaks: a model that has a tool asks it for each of them. */
export function citiesIn(text: string): readonly string[] {
  return text.match(/\b(?:Rome|Oslo|Lima)\b/g) ?? [];
}
