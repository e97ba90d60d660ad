/**
 * What pruning calls a bundle that it has taken out of reach: hidden, and no bundle by name. `.pruned` is whole and may be
 * put back, `.removed` is rubbish. The number is the process that does it, which `.pruned` of older releases lack.
 */
const ASIDE = /^\.(.+\.sftrace)\.[0-9a-f]{8}(?:\.(\d{1,10}))?\.(pruned|removed)$/s;

export const isAside = (name: string): boolean => ASIDE.test(name);

/** Of which bundle a name tells that it was taken away, and by which process; null for any other name. */
export function leftoverOf(
  name: string,
): { readonly name: string; readonly pid: number | null; readonly isWhole: boolean } | null {
  const [, bundle, pid, what] = ASIDE.exec(name) ?? [];
  if (bundle === undefined) return null;
  return { name: bundle, pid: pid === undefined ? null : Number(pid), isWhole: what === 'pruned' };
}

export const withoutSuffix = (path: string): string => path.replace(/(?:\.packed)?\.sftrace$/, '');
