import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTrace, recoverBundle, type Trace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { type Finished, programs } from '../support/programs.js';

const directory = ownDirectory();
const run = programs(fileURLToPath(new URL('./programs', import.meta.url)));
const isRoot = process.getuid?.() === 0;

/** What the agent itself does: its exit, and what it prints but for what the recorder told it on the side. */
function conduct({ code, signal, stdout }: Finished): unknown {
  return { code, signal, said: stdout.split('\n').filter((line) => !line.startsWith('{"told"')) };
}

function toldIn({ stdout }: Finished): string[] {
  const line = stdout.split('\n').find((each) => each.startsWith('{"told"'));
  return line === undefined ? [] : (JSON.parse(line) as { told: string[] }).told;
}

/** Every bundle in a folder, whole, or recovered where it is a leftover; all of them sound. */
function bundlesLeftIn(folder: string): { readonly name: string; readonly partial: boolean; readonly trace: Trace }[] {
  if (!existsSync(folder)) return [];
  // Recovering writes, which the fault may still forbid.
  const copy = mkdtempSync(join(tmpdir(), 'stepfork-left-'));
  cpSync(folder, copy, { recursive: true });
  try {
    return readdirSync(copy)
      .filter((name) => name.endsWith('.sftrace'))
      .map((name) => {
        const partial = name.endsWith('.partial.sftrace');
        if (partial) expect(loadTrace(join(copy, name)).status).toBe('running');
        const path = partial ? recoverBundle(join(copy, name)).path : join(copy, name);
        return { name, partial, trace: loadSound(path) };
      });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

interface Fault {
  readonly name: string;
  /** What the program does in the middle. */
  readonly inside?: string;
  readonly options?: readonly string[];
  readonly limits?: string;
  /** Prepares where the bundle is to lie, given a folder of the test's own. */
  readonly prepare?: (folder: string) => string;
  readonly cleanUp?: (folder: string) => void;
  /** What is done to the process, or its folder, when it pauses in the middle. */
  readonly strike?: (folder: string, child: { readonly kill: (signal: NodeJS.Signals) => boolean }) => void;
  /** What is left: at least so many results, and the status. Null where nothing can be. */
  readonly left: {
    readonly results: number;
    readonly status: Trace['status'];
    readonly partial?: boolean;
    readonly says?: string;
  } | null;
  readonly told: readonly string[];
}

const mountAt = (folder: string, options: string): string => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
  return folder;
};
const unmount = (folder: string): void => {
  execFileSync('umount', [folder], { stdio: 'ignore' });
};

/** Whether this machine lets a file system be mounted. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-mount-'));
  try {
    mountAt(folder, 'size=64k');
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ANYWHERE: readonly Fault[] = [
  { name: 'nothing', left: { results: 40, status: 'completed', partial: false }, told: [] },
  {
    name: 'files that may not grow (ulimit -f)',
    limits: 'ulimit -f 16',
    left: { results: 3, status: 'running', says: 'write_failed' },
    told: ['recording_failed'],
  },
  {
    name: 'no descriptor left when the run starts (ulimit -n)',
    inside: 'exhaust-before',
    limits: 'ulimit -n 64',
    left: null,
    told: ['recording_failed'],
  },
  {
    name: 'no descriptor left from the middle on (ulimit -n)',
    inside: 'exhaust-inside',
    limits: 'ulimit -n 64',
    left: { results: 40, status: 'completed' },
    told: [],
  },
  {
    name: 'a directory that may not be written to',
    options: isRoot ? ['as-nobody'] : [],
    prepare: (folder) => {
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, 'closed'), { mode: 0o555 });
      return join(folder, 'closed');
    },
    left: null,
    told: ['recording_failed'],
  },
  {
    name: 'a file where the directory should be',
    prepare: (folder) => {
      writeFileSync(join(folder, 'file'), 'kept');
      return join(folder, 'file');
    },
    left: null,
    told: ['recording_failed'],
  },
  {
    name: 'the directory deleted in the middle',
    inside: 'pause',
    prepare: (folder) => join(folder, 'deleted'),
    strike: (folder) => rmSync(join(folder, 'deleted'), { recursive: true }),
    left: null,
    told: ['recording_failed'],
  },
  {
    name: 'process.exit inside a tool',
    inside: 'exit',
    left: { results: 20, status: 'failed', partial: false },
    told: [],
  },
  {
    name: 'an exception in a timer',
    inside: 'throw',
    left: { results: 20, status: 'failed', partial: false },
    told: [],
  },
  {
    name: "the agent's own error",
    inside: 'fail',
    left: { results: 20, status: 'failed', partial: false },
    told: [],
  },
  ...(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(
    (signal): Fault => ({
      name: signal,
      inside: 'pause',
      strike: (_folder, child) => child.kill(signal),
      left: { results: 20, status: 'running', partial: true },
      told: [],
    }),
  ),
  ...(['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(
    (signal): Fault => ({
      name: `${signal}, with handleSignals`,
      inside: 'pause',
      options: ['handle-signals'],
      strike: (_folder, child) => child.kill(signal),
      left: { results: 20, status: 'failed', partial: false },
      told: [],
    }),
  ),
  {
    name: 'SIGTERM where the agent has a listener of its own',
    inside: 'pause',
    options: ['own-listener'],
    strike: (_folder, child) => child.kill('SIGTERM'),
    left: { results: 20, status: 'failed', partial: false },
    told: [],
  },
  {
    name: 'SIGTERM where the agent has a listener of its own, with handleSignals',
    inside: 'pause',
    options: ['own-listener', 'handle-signals'],
    strike: (_folder, child) => child.kill('SIGTERM'),
    left: { results: 20, status: 'failed', partial: false },
    told: [],
  },
];

const WITH_A_MOUNT: readonly Fault[] = [
  {
    name: 'a file system that is full from the middle on (tmpfs)',
    prepare: (folder) => mountAt(folder, 'size=48k'),
    cleanUp: unmount,
    left: { results: 3, status: 'running' },
    told: ['recording_failed'],
  },
  {
    name: 'a file system that was full before (tmpfs)',
    prepare: (folder) => {
      mountAt(folder, 'size=16k');
      writeFileSync(join(folder, 'ballast'), Buffer.alloc(16 * 1024));
      return folder;
    },
    cleanUp: unmount,
    left: null,
    told: ['recording_failed'],
  },
  {
    name: 'a file system that is read-only (tmpfs)',
    prepare: (folder) => mountAt(folder, 'ro'),
    cleanUp: unmount,
    left: null,
    told: ['recording_failed'],
  },
];

const mayMount = canMount();
const POSSIBLE = process.platform === 'win32' ? [] : [...ANYWHERE, ...(mayMount ? WITH_A_MOUNT : [])];
const IMPOSSIBLE = mayMount ? [] : WITH_A_MOUNT.map(({ name }) => name);

describe('what cannot be tried here', () => {
  it('is said, and no more than what needs a mount', () => {
    for (const name of IMPOSSIBLE) process.stdout.write(`not possible on this machine: ${name}\n`);
    expect(POSSIBLE.length + IMPOSSIBLE.length).toBe(ANYWHERE.length + WITH_A_MOUNT.length);
  });
});

describe.each(POSSIBLE)('under $name', (fault) => {
  async function suffer(
    env: Record<string, string>,
  ): Promise<{ finished: Finished; left: ReturnType<typeof bundlesLeftIn> }> {
    const folder = mkdtempSync(join(directory(), 'fault-'));
    const place = fault.prepare?.(folder) ?? folder;
    let struck = false;
    try {
      const finished = await run('agent', {
        args: [join(place, 'run.sftrace'), fault.inside ?? 'none', ...(fault.options ?? [])],
        env,
        ...(fault.limits === undefined ? {} : { limits: fault.limits }),
        onOutput: (printed, child) => {
          if (struck || !printed.includes('"paused"')) return;
          struck = true;
          if (existsSync(place)) fault.strike?.(folder, child);
          // A process that is to end by a signal is left waiting.
          if (fault.left === null) child.stdin.write('\n');
        },
      });
      expect(struck).toBe(fault.strike !== undefined);
      return { finished, left: place.endsWith('file') ? [] : bundlesLeftIn(place) };
    } finally {
      fault.cleanUp?.(folder);
    }
  }

  it('the agent does what it does without a recorder, and what is left is sound', async () => {
    const { finished: bare } = await suffer({ STEPFORK_DISABLED: '1' });
    const { finished, left } = await suffer({});
    expect(conduct(finished)).toEqual(conduct(bare));
    expect(toldIn(finished)).toEqual(fault.told);
    if (fault.left === null) {
      // A bundle that could not even be begun, or of which nothing is left.
      expect(left.filter(({ trace }) => trace.events.length > 0)).toEqual([]);
      return;
    }
    expect(left).toHaveLength(1);
    const [bundle] = left;
    expect(eventsOf(bundle?.trace as Trace, 'tool_result').length).toBeGreaterThanOrEqual(fault.left.results);
    expect(bundle?.trace.status).toBe(fault.left.status);
    const incomplete = bundle?.trace.runtime.filter(({ type }) => type === 'truncated');
    if (fault.left.says !== undefined) {
      expect(incomplete).toMatchObject([{ reason: 'failure', code: fault.left.says }]);
    }
    if (fault.left.partial !== undefined) expect(bundle?.partial).toBe(fault.left.partial);
  });
});
