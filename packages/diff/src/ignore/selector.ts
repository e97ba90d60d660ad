/** A call, as far as a rule can name it. */
export interface NamedCall {
  readonly kind: 'tool' | 'llm';
  readonly name: string;
  readonly provider: string | null;
}

/** Which calls are meant: `tool:search`, `llm:openai/gpt-4o`, `llm:gpt-4o`; `*` stands for any text. */
export type Selector = (call: NamedCall) => boolean;

/** @returns null for text that selects nothing */
export function parseSelector(text: string): Selector | null {
  const [, kind, name = ''] = /^(tool|llm):(.+)$/s.exec(text) ?? [];
  if (kind === undefined) return null;
  const parts = name.split('*');
  return (call) => {
    if (call.kind !== kind) return false;
    return fits(call.name, parts) || (Boolean(call.provider) && fits(`${call.provider}/${call.name}`, parts));
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
