/**
 * JSON text by the engine. Its function is taken when the module loads, and is not asked where somebody has given all
 * arrays or objects of the process a `toJSON`: a bundle holds what was there, not what that makes of it.
 */
const { stringify } = JSON;

/** As `JSON.stringify(value, null, indent)` writes plain JSON data without a bigint. */
export function jsonText(value: unknown, indent = 0): string {
  return isToJsonEverywhere() ? byHand(value, ' '.repeat(indent), '\n') : stringify(value, null, indent);
}

/** Whether plain data has a `toJSON` that it inherits. Strings and numbers are never asked for theirs. */
export function isToJsonEverywhere(): boolean {
  return 'toJSON' in Array.prototype || 'toJSON' in Object.prototype;
}

function byHand(value: unknown, indent: string, lineStart: string): string {
  if (typeof value !== 'object' || value === null) return stringify(value);
  const inner = lineStart + indent;
  const colon = indent === '' ? ':' : ': ';
  const parts = Array.isArray(value)
    ? value.map((item) => byHand(item, indent, inner))
    : Object.entries(value).map(([key, item]) => `${stringify(key)}${colon}${byHand(item, indent, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0 || indent === '') return `${open}${parts.join(',')}${close}`;
  return `${open}${inner}${parts.join(`,${inner}`)}${lineStart}${close}`;
}
