/** What every text with such a number matches, strings aside. */
const MAY_BE_LOSSY = /[\d.]{16}|\d[eE]\+?\d{3}/;
const TOKEN = /"(?:[^"\\]|\\.)*"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** Whether a JSON text holds a number that a JavaScript number is not: a 64-bit id, `1e400`. */
export function hasLossyNumber(json: string): boolean {
  if (!MAY_BE_LOSSY.test(json)) return false;
  for (const [, token] of json.matchAll(TOKEN)) if (token !== undefined && isLossy(token)) return true;
  return false;
}

function isLossy(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  if (/^-?\d+$/.test(token)) return token !== String(value);
  return digitsOf(token).length > 15 && digitsOf(token) !== digitsOf(String(value));
}

/** The digits that count, of a number without leading and trailing zeros. */
function digitsOf(token: string): string {
  return token
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}
