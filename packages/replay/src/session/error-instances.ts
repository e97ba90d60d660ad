import { types } from 'node:util';
import type { ErrorClass } from '@stepfork/recorder/boundary';
import { isJsonArray, isJsonObject, type Json, type JsonObject, tagOf } from '@stepfork/trace-format';

/** Parts of an error that may be, or hold, errors themselves. */
const PARTS = ['cause', 'error', 'suppressed', 'errors'] as const;

/**
 * Makes the errors in a revived value instances of the classes that their function says it throws: each gets the
 * prototype of the class of its name, and keeps its recorded fields. No constructor runs.
 *
 * @param json what the value was revived from
 */
export function asInstances(value: unknown, json: Json, classes: readonly ErrorClass[]): void {
  if (classes.length === 0 || typeof value !== 'object' || value === null) return;
  if (isJsonArray(json)) {
    for (const [index, item] of json.entries()) asInstances((value as readonly unknown[])[index], item, classes);
    return;
  }
  if (!isJsonObject(json)) return;
  const tag = tagOf(json);
  if (tag === null) asInstancesIn(value, json, Object.keys(json), classes);
  if (tag !== 'error' || !types.isNativeError(value)) return;
  asInstance(value, json, classes);
  asInstancesIn(value, json, PARTS, classes);
  const { fields } = json;
  if (isJsonObject(fields)) asInstancesIn(value, fields, Object.keys(fields), classes);
}

function asInstancesIn(value: object, json: JsonObject, keys: readonly string[], classes: readonly ErrorClass[]): void {
  for (const key of keys) {
    if (!Object.hasOwn(json, key) || !Object.hasOwn(value, key)) continue;
    asInstances((value as Record<string, unknown>)[key], json[key] as Json, classes);
  }
}

/** By the constructor's name where it was recorded, since an error may call itself something else. */
function asInstance(error: Error, { class: className, name }: JsonObject, classes: readonly ErrorClass[]): void {
  const found = classes.find((each) => each.name === className) ?? classes.find((each) => each.name === name);
  if (found === undefined) return;
  Object.setPrototypeOf(error, found.prototype);
  const own = Object.getOwnPropertyDescriptor(error, 'name');
  // Reviving gave it a name of its own where the class did not say it.
  if (own?.enumerable === false && Reflect.get(found.prototype, 'name') === own.value) {
    Reflect.deleteProperty(error, 'name');
  }
}
