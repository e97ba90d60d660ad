import childProcess from 'node:child_process';
import cluster from 'node:cluster';
import { promisify } from 'node:util';
import workerThreads from 'node:worker_threads';
import type { World } from '../world.js';
import { came, given, named, type WayOutCase } from './way-out-case.js';

// Taken before anything is patched, as an agent in CommonJS takes them.
const { exec: takenExec, execSync: takenExecSync, spawnSync: takenSpawnSync } = childProcess;
const { Worker: TakenWorker } = workerThreads;

async function exited(child: childProcess.ChildProcess): Promise<void> {
  await came(child, 'exit');
}

async function workerEnds(worker: workerThreads.Worker): Promise<void> {
  await came(worker, 'exit');
}

const marking = (world: World): string => `require(${JSON.stringify(world.script)})`;

export const processes: readonly WayOutCase[] = [
  {
    name: 'spawn',
    attempt: ({ program }) => exited(childProcess.spawn(program)),
    what: named('spawn mark.sh'),
  },
  {
    name: 'spawn whose streams are used at once',
    attempt: async ({ program }) => {
      const child = childProcess.spawn(program, { stdio: 'pipe' });
      child.stdout.resume();
      child.stdin.on('error', () => {}).end('x');
      await exited(child);
    },
    what: named('spawn mark.sh'),
  },
  {
    name: 'spawn by a shell',
    attempt: ({ program }) => exited(childProcess.spawn(`${program} && true`, { shell: true })),
    what: named('spawn sh'),
  },
  {
    name: 'exec',
    attempt: ({ program }) => given((done) => childProcess.exec(program, done)),
    what: named('spawn mark.sh'),
  },
  {
    name: 'exec that was taken before, promisified',
    attempt: ({ program }) => promisify(takenExec)(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'execFile',
    attempt: ({ program }) => given((done) => childProcess.execFile(program, done)),
    what: named('spawn mark.sh'),
  },
  {
    name: 'promisified execFile',
    attempt: ({ program }) => promisify(childProcess.execFile)(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'fork',
    attempt: ({ script }) => exited(childProcess.fork(script, { execArgv: [] })),
    what: named('spawn node'),
  },
  {
    name: 'a ChildProcess of its own',
    attempt: ({ program }) => {
      const child = new (
        childProcess.ChildProcess as unknown as new () => childProcess.ChildProcess & {
          spawn: (options: object) => number;
        }
      )();
      child.spawn({ file: program, args: [program], envPairs: [] });
      return exited(child);
    },
    what: named('spawn mark.sh'),
  },
  {
    name: 'spawnSync',
    attempt: ({ program }) => childProcess.spawnSync(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'execSync',
    attempt: ({ program }) => childProcess.execSync(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'execFileSync',
    attempt: ({ program }) => childProcess.execFileSync(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'execSync that was taken before',
    attempt: ({ program }) => takenExecSync(`${program}; true`),
    what: named('spawn sh'),
  },
  {
    name: 'spawnSync that was taken before',
    attempt: ({ program }) => takenSpawnSync(program),
    what: named('spawn mark.sh'),
  },
  {
    name: 'cluster.fork',
    attempt: async ({ script }) => {
      cluster.setupPrimary({ exec: script, execArgv: [], silent: true });
      const worker = cluster.fork();
      await came(worker, 'online');
      worker.disconnect();
      await came(worker, 'exit');
    },
    what: named('spawn node'),
  },
];

export const workers: readonly WayOutCase[] = [
  {
    name: 'a worker of code',
    attempt: (world) => workerEnds(new workerThreads.Worker(marking(world), { eval: true })),
    what: named('start worker (code)'),
  },
  {
    name: 'a worker of a file',
    attempt: ({ script }) => workerEnds(new workerThreads.Worker(script)),
    what: named('start worker mark.cjs'),
  },
  {
    name: 'a worker of a class that was taken before',
    attempt: ({ script }) => workerEnds(new TakenWorker(script)),
    what: named('start a worker'),
  },
  {
    name: 'a worker of a derived class',
    attempt: ({ script }) => {
      class Own extends TakenWorker {}
      return workerEnds(new Own(script));
    },
    what: named('start a worker'),
  },
];
