/** A thrown value as text: what the format, a report and a comparison call it. */
export interface Thrown {
  /** `RangeError`; for what is no error its type: `string`, `Object`. Never empty. */
  readonly type: string;
  /** Never empty: an error without a message is called by its type. */
  readonly message: string;
}

/** Of a type or a message; the value itself is kept whole elsewhere, as far as its size allows. */
const LONGEST = 1024 * 1024;

/** Names whatever was thrown, of any realm, and cannot itself be made to throw. */
export function describeThrown(thrown: unknown): Thrown {
  const type = wellFormed(typeOf(thrown));
  return { type, message: wellFormed(messageOf(thrown)) || type };
}

function typeOf(thrown: unknown): string {
  if (!isObject(thrown)) return thrown === null ? 'null' : typeof thrown;
  return text(thrown, 'name') || constructorName(thrown) || 'Object';
}

function messageOf(thrown: unknown): string {
  if (!isObject(thrown)) return String(thrown);
  const message = text(thrown, 'message');
  if (message !== undefined) return message;
  try {
    return JSON.stringify(thrown) ?? '';
  } catch {
    return '';
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function constructorName(value: object): string | undefined {
  try {
    return text(value.constructor, 'name');
  } catch {
    return undefined;
  }
}

function text(value: object, key: string): string | undefined {
  try {
    const found = (value as Record<string, unknown>)[key];
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Half a surrogate pair has no form in UTF-8; the value itself is kept exactly elsewhere. */
function wellFormed(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return short.replace(/\p{Surrogate}/gu, '\ufffd');
}
