import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { record, traceTool } from '@stepfork/recorder';

// One agent for all faults: 40 calls of a tool, and in the middle whatever the second argument says. It prints what it
// came to, and what the recorder told it on the side, so that it can be compared with itself without a recorder.
const [, , output, fault, ...options] = process.argv;
const CALLS = 40;
const work = traceTool('work', async (n: number) => `${n} ${'x'.repeat(1_000)}`);
const told: string[] = [];
const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Opens files until the system refuses. */
function exhaust(): number[] {
  const opened: number[] = [];
  for (;;) {
    try {
      opened.push(openSync('/dev/null', 'r'));
    } catch {
      return opened;
    }
  }
}

/** Says that half of it is done, and goes on when told to. */
async function pause(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  const next = new Promise((resolve) => lines.once('line', resolve));
  say({ paused: true });
  await next;
  lines.close();
  process.stdin.unref();
}

let held: readonly number[] = [];
const MIDDLE: Readonly<Record<string, () => unknown>> = {
  pause,
  exit: () => traceTool('quit', () => process.exit(7))(),
  throw: () => {
    setTimeout(() => {
      throw new RangeError('in a timer');
    }, 1);
    return new Promise((resolve) => setTimeout(resolve, 1_000));
  },
  'exhaust-inside': () => {
    held = exhaust();
  },
  fail: () => {
    throw new RangeError("the agent's own");
  },
};

if (process.argv.includes('as-nobody')) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
if (options.includes('own-listener')) {
  process.on('SIGTERM', () => {
    say({ stopped: true });
    process.exit(3);
  });
}
// Loaded before files run out.
say({ started: true });
if (fault === 'exhaust-before') held = exhaust();

const handleSignals = options.includes('handle-signals');
const onError = (error: { readonly code: string }): void => {
  told.push(error.code);
};
const outcome = await record('agent', { output, handleSignals, onError }, async () => {
  let sum = 0;
  for (let call = 0; call < CALLS; call++) {
    if (call === CALLS / 2) await MIDDLE[fault ?? '']?.();
    sum += (await work(call)).length;
  }
  return sum;
}).catch((error: unknown) => `failed: ${error}`);
for (const descriptor of held) closeSync(descriptor);
say({ outcome });
say({ told });
