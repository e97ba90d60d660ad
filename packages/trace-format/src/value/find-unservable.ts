import { isJsonArray, isJsonObject } from '../json/object.js';
import type { Json } from '../json.js';
import { formatRootedPath, type PathSegment } from '../path.js';
import { PLACEHOLDER_TAGS, tagOf } from './tags.js';

/**
 * Path (`$.a[0].b`) of the first place that holds a placeholder instead of what was there, or null when the whole
 * value can be given back.
 */
export function findUnservable(json: Json): string | null {
  const path: PathSegment[] = [];
  return search(json, path) ? formatRootedPath(path) : null;
}

/** Leaves `path` at the place when it finds one. */
function search(json: Json, path: PathSegment[]): boolean {
  if (isJsonArray(json)) return json.some((item, index) => searchPart(item, index, path));
  if (!isJsonObject(json)) return false;
  const tag = tagOf(json);
  if (tag !== null && (PLACEHOLDER_TAGS as readonly string[]).includes(tag)) return true;
  return Object.keys(json).some((key) => searchPart(json[key] as Json, key, path));
}

function searchPart(json: Json, segment: PathSegment, path: PathSegment[]): boolean {
  path.push(segment);
  if (search(json, path)) return true;
  path.pop();
  return false;
}
