import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Outcome {
  /** null when a signal ended it. */
  readonly exit: number | null;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

/** Packages whose command has another name. */
const PACKAGE_OF: Readonly<Record<string, string>> = {
  stepfork: '@stepfork/cli',
  'apply-fix': '@stepfork/demo',
  'count-bodies': '@stepfork/demo',
};

/** Runs a package's command as `npx` would, but without a shell in between; `onLine` gets each line as it comes. */
export function runCommand(
  [name, ...args]: readonly [string, ...string[]],
  options: { cwd: string; colour: boolean; onLine: (line: string) => void },
): Promise<Outcome> {
  const colour = options.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  const { FORCE_COLOR: _force, NO_COLOR: _no, ...inherited } = process.env;
  const child = spawn(process.execPath, [programOf(name, options.cwd), ...args], {
    cwd: options.cwd,
    env: { ...inherited, ...colour },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const lines = { out: '', err: '' };
  const take = (stream: 'out' | 'err') => (chunk: string) => {
    output += chunk;
    const parts = (lines[stream] + chunk).split(/\r?\n/);
    lines[stream] = parts.pop() ?? '';
    for (const line of parts) options.onLine(line);
  };
  child.stdout.setEncoding('utf8').on('data', take('out'));
  child.stderr.setEncoding('utf8').on('data', take('err'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => {
      for (const rest of [lines.out, lines.err]) if (rest !== '') options.onLine(rest);
      resolve({ exit, output });
    });
  });
}

/** The JavaScript file behind a command, found from `folder` upwards as Node finds a package. */
function programOf(command: string, folder: string): string {
  const packageName = PACKAGE_OF[command] ?? command;
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', packageName);
    if (existsSync(join(home, 'package.json'))) {
      const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
        bin: string | Record<string, string>;
      };
      const file = typeof bin === 'string' ? bin : bin[command];
      if (file === undefined) throw new Error(`${packageName} has no command '${command}'`);
      return realpathSync(join(home, file));
    }
    if (at === dirname(at)) throw new Error(`'${packageName}' is not installed; run npm run demo at the root`);
  }
}
