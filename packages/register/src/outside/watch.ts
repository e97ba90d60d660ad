import { syncBuiltinESMExports } from 'node:module';
import { slot } from '@stepfork/recorder/boundary';
import { watchCommands } from './commands.js';
import { watchHosts } from './hosts.js';

/** What a run reaches other than in its recorded calls. */
export interface Outside {
  /** Requests to this host are recorded, whatever connection they take. */
  readonly recorded: (host: string) => void;
  /** `connect db.test:5432`, `spawn git`: each once, in the order in which they came. */
  readonly reached: () => readonly string[];
}

/** Tells of one thing that is reached: by what, and which. */
export type Reach = (verb: 'connect' | 'request' | 'spawn', goal: string) => void;

/** Watches, and stops nothing. */
export function watchOutside(): Outside {
  const goals = new Map<string, string>();
  const recorded = new Set<string>();
  const reach: Reach = (verb, goal) => {
    // In the body of a call, which does not run on replay.
    if (typeof slot().frames.getStore()?.call === 'string') return;
    goals.set(`${verb} ${goal}`, goal);
  };
  watchHosts(reach);
  watchCommands(reach);
  syncBuiltinESMExports();
  return {
    recorded: (host) => void recorded.add(host),
    reached: () => [...goals].filter(([, goal]) => !recorded.has(goal)).map(([what]) => what),
  };
}
