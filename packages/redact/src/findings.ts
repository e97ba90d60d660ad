import {
  compareCodePoints,
  type Finding,
  type PathSegment,
  parsePointer,
  toPointer,
} from '@stepfork/trace-format/write';

/** A place that was redacted, as long as its order matters. */
export interface Found {
  readonly path: readonly PathSegment[];
  readonly reason: string;
  /** The rule by its own name: `slack-token`; the reason, where a rule has none. */
  readonly rule: string;
}

/**
 * Findings in the order of the places: keys by code point, items by index, whatever order the value's own keys had.
 * Each place once, with the reason of the rule that struck first.
 */
export function toFindings(found: readonly Found[]): readonly Finding[] {
  const byPointer = new Map<string, Found>();
  for (const one of found) {
    const pointer = toPointer(one.path);
    if (!byPointer.has(pointer)) byPointer.set(pointer, one);
  }
  return [...byPointer]
    .sort(([, a], [, b]) => comparePaths(a.path, b.path))
    .map(([path, { reason }]) => ({ path, reason }));
}

/** Findings together with those of parts that were redacted before. */
export function withKnown(found: readonly Found[], known: readonly Finding[]): readonly Finding[] {
  if (known.length === 0) return toFindings(found);
  const before = known.map(({ path, reason }): Found => ({ path: segmentsOf(path), reason, rule: reason }));
  return toFindings([...before, ...found]);
}

/** Keys that are made of digits are taken for indices: only the order of the places hangs on it. */
function segmentsOf(pointer: string): readonly PathSegment[] {
  return (parsePointer(pointer) ?? []).map((key) => (/^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : key));
}

function comparePaths(a: readonly PathSegment[], b: readonly PathSegment[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareSegments(a[i] as PathSegment, b[i] as PathSegment);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareSegments(a: PathSegment, b: PathSegment): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareCodePoints(String(a), String(b));
}
