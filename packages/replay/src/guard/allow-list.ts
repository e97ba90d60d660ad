import { displayText, StepforkError } from '@stepfork/trace-format';
import { hostName } from './host.js';
import type { WayOut } from './way-out.js';

/** The hosts and commands that a replay may reach all the same. */
export interface AllowList {
  readonly allows: (way: WayOut) => boolean;
}

const ALL = '*';
const HOST_AND_PORT = /^(.+):\d+$/;

/**
 * An entry is a host (`db.test`), a host and port (`127.0.0.1:5432`, `[::1]:80`), the path of a socket, or a command
 * or the file of a worker, by its name or its path. `localhost` stands for the loopback addresses too, `*` for all.
 *
 * @throws StepforkError `bad_option`
 */
export function parseAllow(entries: unknown): AllowList {
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === 'string' && entry !== '')) {
    throw new StepforkError('bad_option', 'option allow must be a list of hosts and commands', {
      details: { option: 'allow' },
    });
  }
  const odd = entries.find((entry) => entry !== ALL && (entry.includes('://') || entry.includes('*')));
  if (odd !== undefined) {
    const message = `option allow takes hosts ('db.test', 'db.test:5432') and commands ('git'), or '*' for all, not '${displayText(odd)}'`;
    throw new StepforkError('bad_option', message, { details: { option: 'allow' } });
  }
  if (entries.includes(ALL)) return { allows: () => true };
  const exact = new Set<string>();
  const hosts = new Set<string>();
  for (const entry of entries as readonly string[]) {
    exact.add(entry).add(hostName(entry));
    hosts.add(hostName(HOST_AND_PORT.exec(entry)?.[1] ?? entry));
  }
  // A name must be looked up before any port of its host can be reached.
  return { allows: ({ kind, names }) => names.some((name) => (kind === 'lookup' ? hosts : exact).has(name)) };
}
