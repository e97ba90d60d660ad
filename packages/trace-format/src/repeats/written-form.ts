import { isJsonArray } from '../json/object.js';
import type { Json } from '../json.js';
import { mapRepeats, type Repeat, repeatedJson, valueAt, withValueAt } from './reference.js';

/** How an input stands in its line, and the earlier one that it repeats. */
interface WrittenForm {
  readonly written: Json;
  readonly earlier: Json;
}

/**
 * An input's hash is that of its text in the line, while whoever loads a bundle sees the input in full. The form it was
 * written in lies beside it, so that a loaded trace can be verified.
 */
const forms = new WeakMap<object, WrittenForm>();

/** Remembers how an input that is given in full was written. */
export function rememberForm(full: Json, written: Json, earlier: Json): void {
  if (typeof full === 'object' && full !== null) forms.set(full, { written, earlier });
}

/** An input as it is to be hashed: as it was written, with all that was changed of it since. */
export function writtenForm(input: Json): Json {
  const form = typeof input === 'object' && input !== null ? forms.get(input) : undefined;
  if (form === undefined) return input;
  let written = input;
  mapRepeats(form.written, (repeat, path) => {
    const json = unchanged(repeat, valueAt(input, path), valueAt(form.earlier, path));
    if (json !== null) written = withValueAt(written, path, json);
    return null;
  });
  return written;
}

/** The repeat that stands for a value; null for one that is no longer what the earlier input has. */
function unchanged(repeat: Repeat, value: Json | undefined, earlier: Json | undefined): Json | null {
  const { of, length } = repeat;
  if (value === undefined) return null;
  if (length === null) return value === earlier ? repeatedJson(repeat) : null;
  if (!isJsonArray(value) || !isJsonArray(earlier) || value.length < length) return null;
  for (let i = 0; i < length; i++) if (value[i] !== earlier[i]) return null;
  return repeatedJson({ of, length, added: value.slice(length) });
}
