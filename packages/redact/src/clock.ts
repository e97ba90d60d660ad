/** Milliseconds since the epoch. */
export function nowMs(): number {
  return Date.now();
}
