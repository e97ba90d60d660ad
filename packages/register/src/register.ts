import { isMainThread } from 'node:worker_threads';
import { recordProcess } from '@stepfork/recorder/boundary';
import { installFetch } from '@stepfork/recorder/fetch';
import { isStepforkError } from '@stepfork/trace-format/write';
import { endWithProcess } from './end.js';
import { installHttp } from './http-client.js';
import { watchOutside } from './outside/watch.js';
import { say } from './say.js';
import { takeSettings } from './settings.js';

/** Records this process as one run, where it is the one to be recorded. */
export function register(): boolean {
  const settings = isMainThread ? takeSettings() : null;
  if (settings === null) return false;
  const { agent, output, overwrite } = settings;
  try {
    const run = recordProcess(agent, { output, overwrite, handleSignals: true });
    if (run === null) return false;
    const outside = watchOutside();
    installFetch({ http: true });
    installHttp({ http: true, onRequest: outside.recorded });
    endWithProcess(run, agent, outside);
    return true;
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    say(error.message);
    return process.exit(1);
  }
}
