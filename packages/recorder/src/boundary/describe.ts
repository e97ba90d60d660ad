import { displayText } from '@stepfork/trace-format/write';

/** What a message calls by name. */
export interface Named {
  readonly kind: 'tool' | 'llm' | 'agent';
  readonly name: string;
  readonly provider?: string | null;
}

/** `tool 'search'`, `LLM 'openai/gpt-4o'`, `agent 'booking'`. */
export function describe({ kind, name, provider }: Named): string {
  const title = provider === undefined || provider === null ? name : `${provider}/${name}`;
  return `${kind === 'llm' ? 'LLM' : kind} '${displayText(title)}'`;
}
