/** One row of the table of docs/architecture.md. */
export interface Floor {
  readonly floor: number;
  /** `@stepfork/recorder`. */
  readonly packages: readonly string[];
  /** The packages that those may import. */
  readonly mayImport: readonly string[];
}

const ROW = /^\| (\d+) \| ([^|]+) \| [^|]+ \| ([^|]+) \|$/gm;

/** Who may import whom, as the page says it. */
export function floorsOf(page: string): readonly Floor[] {
  const rows = [...page.matchAll(ROW)].map(([, floor = '', packages = '', cell = '']) => ({
    floor: Number(floor),
    packages: [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    cell,
  }));
  return rows.map(({ floor, packages, cell }) => {
    const below = rows.filter((row) => row.floor < floor).flatMap((row) => row.packages);
    return { floor, packages, mayImport: below.filter((name) => isAllowed(name, cell)) };
  });
}

/** `trace-format, recorder's /fetch`, `everything above, zod`, or `all but the adapters and register`. */
function isAllowed(name: string, cell: string): boolean {
  const [allowed = '', excepted = ''] = cell.split(' but ');
  const short = name.replace('@stepfork/', '');
  const isNamed = (text: string): boolean =>
    new RegExp(`(?<![\\w/-])${short}(?![\\w-])`).test(text) ||
    (short.startsWith('adapter-') && /\bthe adapters\b/.test(text));
  return /\b(all|everything above)\b/.test(allowed) ? !isNamed(excepted) : isNamed(allowed);
}
