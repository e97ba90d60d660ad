import { basename } from 'node:path';
import process from 'node:process';
import { tellTaken } from './taken.js';

/** What of a recorded process was chosen for it. */
export interface Settings {
  readonly agent: string;
  /** Undefined for a place under `.stepfork/traces`. */
  readonly output: string | undefined;
  readonly overwrite: boolean;
}

/** Set for the processes that a recorded one starts: one process is one run. */
const RECORDED = 'STEPFORK_RECORDED';

/** A file that is made when somebody takes the recording, so that whoever started all this knows of it. */
const TAKEN = 'STEPFORK_TAKEN';

/** Programs that only start another one, which is the one to be recorded. */
const LAUNCHERS =
  /^(?:npm(?:-cli)?|npx(?:-cli)?|pnpm|pnpx|yarn(?:pkg)?|corepack|tsx|nodemon|cross-env|dotenv|concurrently|turbo)$/;
/** Where such a program lies that is not named for itself. */
const LAUNCHER_PLACES = /[\\/]tsx[\\/]dist[\\/]cli\.[cm]js$/;

/** Null where this process is not the one to be recorded. */
export function takeSettings(): Settings | null {
  const [, script = 'agent'] = process.argv;
  const name = basename(script).replace(/\.[cm]?[jt]sx?$/, '');
  if (process.env[RECORDED] !== undefined || LAUNCHERS.test(name) || LAUNCHER_PLACES.test(script)) return null;
  process.env[RECORDED] = String(process.pid);
  tellTaken(process.env[TAKEN]);
  const { STEPFORK_AGENT: agent, STEPFORK_OUTPUT: output, STEPFORK_OVERWRITE: overwrite } = process.env;
  return { agent: agent || name || 'agent', output: output || undefined, overwrite: overwrite === '1' };
}
