import { carryItemMarks } from '../json/float-marks.js';
import { isJsonArray, isJsonObject } from '../json/object.js';
import type { Json } from '../json.js';
import { copyOf, itemAt, MAX_REPEAT_DEPTH, type Repeat, repeatedJson, repeatOf, setItem } from './reference.js';

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
  return form === undefined ? input : asWritten(input, form.written, form.earlier, 1);
}

function asWritten(input: Json, written: Json, earlier: Json | undefined, depth: number): Json {
  if (typeof input !== 'object' || input === null || typeof written !== 'object' || written === null) return input;
  let copy: ReturnType<typeof copyOf> | null = null;
  for (const key of isJsonArray(written) ? written.keys() : Object.keys(written)) {
    const value = itemAt(input, key);
    const said = itemAt(written, key);
    if (value === undefined || said === undefined) continue;
    const before = itemAt(earlier, key);
    const repeat = isJsonObject(said) ? repeatOf(said) : null;
    let json = value;
    if (repeat !== null) json = unchanged(repeat, value, before) ?? value;
    else if (depth < MAX_REPEAT_DEPTH) json = asWritten(value, said, before, depth + 1);
    if (json === value) continue;
    copy ??= copyOf(input);
    setItem(copy, key, json);
  }
  return copy ?? input;
}

/** The repeat that stands for a value; null for one that is no longer what the earlier input has. */
function unchanged(repeat: Repeat, value: Json, earlier: Json | undefined): Json | null {
  const { of, length } = repeat;
  if (length === null) return value === earlier ? repeatedJson(repeat) : null;
  if (!isJsonArray(value) || !isJsonArray(earlier) || value.length < length) return null;
  for (let i = 0; i < length; i++) if (value[i] !== earlier[i]) return null;
  const added = value.slice(length);
  carryItemMarks(value, length, added, 0, added.length);
  return repeatedJson({ of, length, added });
}
