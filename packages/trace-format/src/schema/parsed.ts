import type { z } from 'zod';
import { displayText } from '../display.js';
import type { Json } from '../json.js';
import { formatPath, type PathSegment } from '../path.js';
import type { Parsed } from './bundle-schema.js';

/** Applies a schema; the first fault becomes one line that names the field. */
export function parseWith<T>(schema: z.ZodType<T>, json: Json): Parsed<T> {
  const result = schema.safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  return { ok: false, problem: issue === undefined ? 'not valid' : problemOf(issue) };
}

function problemOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.filter((segment): segment is PathSegment => typeof segment !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    return `unknown field '${displayText(formatPath([...path, issue.keys[0] ?? '']))}'`;
  }
  if (path.length === 0) return displayText(issue.message);
  return `field '${displayText(formatPath(path))}': ${displayText(issue.message)}`;
}
