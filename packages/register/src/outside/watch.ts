import { syncBuiltinESMExports } from 'node:module';
import { slot } from '@stepfork/recorder/boundary';
import { watchCommands } from './commands.js';
import { watchHosts } from './hosts.js';
import { watchWorkers } from './workers.js';

/** What a run reaches other than in its recorded calls. */
export interface Outside {
  /** Requests to this host are recorded, so that a connection to it says nothing. */
  readonly recorded: (host: string) => void;
  /** `connect db.test:5432`, `spawn git`, `start worker.js`: each once, in the order in which they came. */
  readonly reached: () => readonly string[];
}

/** Tells of one thing that is reached: by what, and which. */
export type Reach = (verb: 'connect' | 'request' | 'spawn' | 'start', goal: string) => void;

/** Watches, and stops nothing. */
export function watchOutside(): Outside {
  const goals = new Map<string, { readonly verb: string; readonly goal: string }>();
  const recorded = new Set<string>();
  const reach: Reach = (verb, goal) => {
    // In the body of a call, which does not run on replay.
    if (typeof slot().frames.getStore()?.call === 'string') return;
    goals.set(`${verb} ${goal}`, { verb, goal });
  };
  watchHosts(reach);
  watchCommands(reach);
  watchWorkers(reach);
  syncBuiltinESMExports();
  return {
    recorded: (host) => void recorded.add(host),
    reached: () =>
      [...goals].filter(([, { verb, goal }]) => verb !== 'connect' || !recorded.has(goal)).map(([what]) => what),
  };
}
