import { canonicalJson, displayText, type Json } from '@stepfork/trace-format';
import type { CalledFunction, CallIdentity } from '../plan/key.js';
import type { CallView } from '../report.js';

const LONGEST_PREVIEW = 200;

/** A call as a report shows it; recorded and live ones alike. */
export function viewOf(call: CallIdentity & { readonly fingerprint: string }, index: number | null): CallView {
  return {
    kind: call.kind,
    name: call.name,
    provider: call.provider,
    inputPreview: previewOf(call.input, LONGEST_PREVIEW),
    fingerprint: call.fingerprint,
    index,
  };
}

/** Canonical text, cut, and fit for a terminal. */
export function previewOf(value: Json, longest: number): string {
  const text = canonicalJson(value);
  return displayText(text.length > longest ? `${text.slice(0, longest - 1)}…` : text);
}

/** `tool 'search'`, `LLM 'openai/gpt-4o'`. */
export function labelOf(call: CalledFunction): string {
  return `${call.kind === 'llm' ? 'LLM' : 'tool'} '${titleOf(call)}'`;
}

/** `search`, `openai/gpt-4o`. */
export function titleOf({ name, provider }: Pick<CalledFunction, 'name' | 'provider'>): string {
  return displayText(provider === null || provider === '' ? name : `${provider}/${name}`);
}
