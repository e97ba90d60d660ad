import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What tool and model bodies wrote when they ran, a line each: the only witness that does not belong to us. */
export function bodiesRun(folder: string, log = 'bodies.log'): readonly string[] {
  const file = join(folder, log);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
