import type { CalledFunction } from '../plan/key.js';

/** Which calls are meant: `tool:search`, `llm:openai/gpt-4o`, `llm:gpt-4o`; `*` stands for any text. */
export type Selector = (call: CalledFunction) => boolean;

/** @returns null for text that selects nothing */
export function parseSelector(text: string): Selector | null {
  const [kind, ...rest] = text.split(':');
  const name = rest.join(':');
  if ((kind !== 'tool' && kind !== 'llm') || name === '') return null;
  const parts = name.split('*');
  return (call) => {
    if (call.kind !== kind) return false;
    if (fits(call.name, parts)) return true;
    return call.provider !== null && call.provider !== '' && fits(`${call.provider}/${call.name}`, parts);
  };
}

/** Whether `text` is these parts, in order, with anything in between. Linear: the first place that fits does. */
function fits(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found === -1) return false;
    from = found + part.length;
  }
  return from <= text.length - last.length;
}
