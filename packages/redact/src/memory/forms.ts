import { Buffer } from 'node:buffer';

/** A spelling of a secret to look for. */
export interface SecretForm {
  readonly text: string;
  /** Part of Base64 text: the run around it says the secret too, together with its neighbours, and goes as a whole. */
  readonly inBase64: boolean;
}

/** Shorter strings are too common to be looked for. */
export const MIN_SECRET = 8;
/** Longer strings are documents, not secrets. */
export const MAX_SECRET = 65_536;

/** How a secret may be spelled where it recurs: as it is, in a URL, in JSON text, in Base64. */
export function formsOf(secret: string): readonly SecretForm[] {
  const plain = new Set([secret, ...urlForms(secret), ...jsonForms(secret)]);
  const base64 = new Set(base64Forms(secret));
  return [
    ...[...plain].map((text) => ({ text, inBase64: false })),
    ...[...base64].map((text) => ({ text, inBase64: true })),
  ].filter(({ text }) => text.length >= MIN_SECRET);
}

function urlForms(secret: string): readonly string[] {
  try {
    const component = encodeURIComponent(secret);
    const strict = component.replace(/[!'()*]/g, percent);
    const forms = [component, strict, formEncoded(secret), encodeURI(secret)];
    return [...forms, ...forms.map(lowerHex)];
  } catch {
    // A lone surrogate has no place in a URL.
    return [];
  }
}

function formEncoded(secret: string): string {
  return new URLSearchParams([['', secret]]).toString().slice(1);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function lowerHex(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
}

/** As the content of a string in JSON text, and of one in JSON text that is itself such a string. */
function jsonForms(secret: string): readonly string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  return [once, JSON.stringify(once).slice(1, -1)];
}

/**
 * The characters of Base64 text that depend on the secret alone, for each of the three places at which it may begin
 * inside a group of three bytes, in both alphabets, and in a URL.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const standard = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return standard.flatMap((url) => {
    const plain = url.replaceAll('-', '+').replaceAll('_', '/');
    return [url, plain, encodeURIComponent(plain), lowerHex(encodeURIComponent(plain))];
  });
}
