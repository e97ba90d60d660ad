import type { Model } from './model.js';

/** `openai` of `openai.responses`: which of a provider's interfaces a model uses is part of what it is asked. */
export function vendorOf({ provider }: Model): string {
  return String(provider).split('.', 1)[0] ?? '';
}
