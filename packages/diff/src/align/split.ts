import type { Box, Sequences } from './box.js';
import { Frontier } from './frontier.js';

/** A point through which a good path from corner to corner goes. */
export interface Split {
  readonly a: number;
  readonly b: number;
  /** Whether the path is a shortest one. */
  readonly exact: boolean;
}

/** Counted from a corner of a box. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Searches from both corners of a box until the paths meet: there a shortest path goes. After `mostEdits` edits on
 * each side it settles for the point that lies furthest. The box must not begin or end with equal elements.
 */
export function splitBox(sequences: Sequences, box: Box, mostEdits: number): Split {
  const width = box.aTo - box.aFrom;
  const height = box.bTo - box.bFrom;
  const delta = width - height;
  const isOdd = (delta & 1) !== 0;
  const limit = Math.min(mostEdits, Math.ceil((width + height) / 2));
  const forward = new Frontier(sequences, box, 1, limit);
  const backward = new Frontier(sequences, box, -1, limit);
  for (let edits = 0; edits <= limit; edits++) {
    forward.advance(edits);
    const ahead = isOdd ? meetingPoint(forward, backward, delta, width) : null;
    if (ahead !== null) return { a: box.aFrom + ahead.x, b: box.bFrom + ahead.y, exact: true };
    backward.advance(edits);
    const back = isOdd ? null : meetingPoint(backward, forward, delta, width);
    if (back !== null) return { a: box.aTo - back.x, b: box.bTo - back.y, exact: true };
  }
  return furthestPoint(box, forward, backward);
}

/** Where the paths that advanced last have met or passed those from the other corner, seen from their own. */
function meetingPoint(advanced: Frontier, other: Frontier, delta: number, width: number): Point | null {
  for (let diagonal = advanced.low; diagonal <= advanced.high; diagonal += 2) {
    const x = advanced.on(diagonal);
    if (x + other.on(delta - diagonal) >= width) return { x, y: x - diagonal };
  }
  return null;
}

function furthestPoint(box: Box, forward: Frontier, backward: Frontier): Split {
  const ahead = furthestOf(forward);
  const back = furthestOf(backward);
  return ahead.x + ahead.y >= back.x + back.y
    ? { a: box.aFrom + ahead.x, b: box.bFrom + ahead.y, exact: false }
    : { a: box.aTo - back.x, b: box.bTo - back.y, exact: false };
}

function furthestOf(frontier: Frontier): Point {
  let best = { x: 0, y: 0 };
  for (let diagonal = frontier.low; diagonal <= frontier.high; diagonal += 2) {
    const x = frontier.on(diagonal);
    if (x >= 0 && 2 * x - diagonal > best.x + best.y) best = { x, y: x - diagonal };
  }
  return best;
}
