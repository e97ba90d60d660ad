import { displayText, isJsonArray, isJsonObject, type Json } from '@stepfork/trace-format/write';

/** Characters of a value that are shown. */
const LIMIT = 120;
/** Characters shown before the place at which two long texts part. */
const LEAD = 30;

/** Both sides of a change on one line each, cut so that what differs is in sight. */
export function previewPair(before: Json, after: Json): readonly [string, string] {
  if (typeof before !== 'string' || typeof after !== 'string') return [preview(before), preview(after)];
  const from = Math.max(before.length, after.length) > LIMIT ? partingOf(before, after) - LEAD : 0;
  return [previewText(before, from), previewText(after, from)];
}

/** A value as JSON on one line, cut where it is long. */
export function preview(value: Json): string {
  if (typeof value === 'string') return previewText(value, 0);
  const text = jsonText(value, LIMIT + 1);
  return displayText(text.length > LIMIT ? `${cut(text, 0, LIMIT)}…` : text);
}

function previewText(text: string, from: number): string {
  const start = from > 0 ? '…' : '';
  const to = Math.max(from, 0) + LIMIT;
  return displayText(`${start}${JSON.stringify(cut(text, Math.max(from, 0), to))}${text.length > to ? '…' : ''}`);
}

function partingOf(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** A part of a text that does not begin or end inside a character. */
function cut(text: string, from: number, to: number): string {
  const splits = (at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1));
  return text.slice(splits(from) ? from + 1 : from, splits(to) ? to - 1 : to);
}

/** JSON text up to about `room` characters: no more is looked at of a value that is large or deep. */
function jsonText(value: Json, room: number): string {
  if (room <= 0) return '';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  let text = '';
  const add = (key: string, item: Json): boolean => {
    text += text === '' ? key : `, ${key}`;
    text += jsonText(item, room - text.length - 1);
    return text.length < room;
  };
  if (isJsonArray(value)) {
    value.every((item) => add('', item));
    return `[${text}]`;
  }
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  keys.every((key) => add(`${JSON.stringify(key)}: `, (value as { readonly [key: string]: Json })[key] as Json));
  return `{${text}}`;
}
