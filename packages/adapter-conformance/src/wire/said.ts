import type { Content } from './anthropic.js';
import type { WireAnswer } from './server.js';

/** A message of Anthropic's, as far as others have the like. */
export interface Said {
  readonly content: readonly Content[];
  readonly stop_reason: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** The message that a model said, told in another way; an error, by its status and what it says. */
export function retold(
  answer: WireAnswer,
  tell: (said: Said) => WireAnswer,
  refuse: (status: number, message: string) => WireAnswer,
): WireAnswer {
  const { status = 200, json, delayMs = 0 } = answer;
  if (status < 400) return { delayMs, ...tell(json as Said) };
  const { error } = (json ?? {}) as { readonly error?: { readonly message: string } };
  return { ...refuse(status, error?.message ?? 'oops'), headers: answer.headers ?? {} };
}

/** As it comes in two pieces. */
export function halves(text: string): readonly string[] {
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)];
}
