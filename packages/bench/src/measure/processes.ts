import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Row } from '../bench.js';
import { toRows } from './rounds.js';

/** A case that is timed as a process of its own: for what is paid once, or takes memory that must not add up. */
export interface ProcessCase {
  readonly name: string;
  readonly args: readonly string[];
  readonly note?: string;
}

/** Whole processes in turn, by wall time, in milliseconds. */
export function measureProcesses(cases: readonly ProcessCase[], rounds: number, reference: string): readonly Row[] {
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, args } of cases) {
      const start = process.hrtime.bigint();
      runNode(args);
      if (round >= 0) times.get(name)?.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
  }
  return toRows(cases, times, reference);
}

/** What a piece of work in a child process took. */
export interface ChildTaken {
  readonly ms: number;
  /** Peak resident memory, in bytes. */
  readonly rss: number;
}

/** Runs one of the tasks of child.ts in a process of its own. */
export function runChild(task: string, ...args: readonly string[]): ChildTaken {
  const child = fileURLToPath(new URL('./child.js', import.meta.url));
  return JSON.parse(runNode([child, task, ...args])) as ChildTaken;
}

/** What a process of Node's prints that ends well. */
export function runNode(args: readonly string[]): string {
  // Extra certificates cost every start of Node some 75 ms, whoever starts.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const done = spawnSync(process.execPath, args, { encoding: 'utf8', env, maxBuffer: 1 << 26 });
  if (done.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${done.status}: ${done.stderr}`);
  return done.stdout;
}
