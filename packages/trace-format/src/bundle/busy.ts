/** Paths, final and provisional, of the bundles that this process is writing. */
const busy = new Set<string>();

export function isBusy(path: string): boolean {
  return busy.has(path);
}

export function setBusy(...paths: readonly string[]): void {
  for (const path of paths) busy.add(path);
}

export function setFree(...paths: readonly string[]): void {
  for (const path of paths) busy.delete(path);
}
