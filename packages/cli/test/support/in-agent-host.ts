import { type ChildProcess, fork } from 'node:child_process';
import type { HostAnswer, HostRequest } from './agent-host.js';
import { AGENT_HOST } from './build.js';
import { type Ended, environmentWith } from './stepfork.js';

export interface AgentHost {
  /** Runs a command line as if it was given in this folder, after those that were given before it. */
  readonly run: (folder: string, ...argv: string[]) => Promise<Ended>;
  readonly stop: () => void;
}

/**
 * A process that runs command lines one after the other, the user's code included: for what does not depend on how its
 * process ends or what it writes to by number. It starts once, which is most of what a short replay takes. A file that
 * it loaded it does not load again, so that another text needs another name.
 */
export function startAgentHost(): AgentHost {
  let host: ChildProcess | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const ask = (request: HostRequest): Promise<HostAnswer> => {
    host ??= fork(AGENT_HOST, { env: environmentWith({}), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const asked = host;
    return new Promise((resolve, reject) => {
      const onExit = (): void => {
        host = null;
        reject(new Error(`'stepfork ${request.argv.join(' ')}' ended the process that ran it`));
      };
      asked.once('exit', onExit);
      asked.once('message', (answer: HostAnswer) => {
        asked.off('exit', onExit);
        resolve(answer);
      });
      asked.send(request);
    });
  };
  return {
    run: (folder, ...argv) => {
      const answer = last.then(() => ask({ folder, argv }));
      last = answer.catch(() => {});
      return answer;
    },
    stop: () => host?.disconnect(),
  };
}
