import { jsonText } from './json/native.js';

/** One step into a JSON value: a key, or an index. */
export type PathSegment = string | number;

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/**
 * A path as Stepfork prints it: `should_notify`, `a.b[0]["odd key"]`; the root is `$`. Odd keys are JSON string
 * literals, so a path never holds a raw control character.
 */
export function formatPath(segments: readonly PathSegment[]): string {
  if (segments.length === 0) return '$';
  const text = segments.map(step).join('');
  return text.startsWith('.') ? text.slice(1) : text;
}

/** The same path with its root in front, as errors name it: `$`, `$.a[0].b`. */
export function formatRootedPath(segments: readonly PathSegment[]): string {
  return `$${segments.map(step).join('')}`;
}

function step(segment: PathSegment): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return IDENTIFIER.test(segment) ? `.${segment}` : `[${jsonText(segment)}]`;
}

/** JSON Pointer (RFC 6901) of a path; the root is the empty string. */
export function toPointer(segments: readonly PathSegment[]): string {
  return segments.map((segment) => `/${escapePointer(String(segment))}`).join('');
}

/** One segment of a JSON Pointer. */
export function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The keys of a JSON Pointer; array indices stay text. Null for text that is no JSON Pointer. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
