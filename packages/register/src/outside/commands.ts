import childProcess from 'node:child_process';
import { basename } from 'node:path';
import type { Reach } from './watch.js';

type Callable = (...args: never[]) => unknown;

/** What starts a process, by the place of the command in what it is given. */
export function watchCommands(reach: Reach): void {
  // All that do not wait come down to this one.
  const { prototype } = childProcess.ChildProcess as unknown as { readonly prototype: { spawn: Callable } };
  prototype.spawn = telling(prototype.spawn, ([options]) => (options as { readonly file?: unknown }).file, reach);
  const waiting = childProcess as unknown as Record<'spawnSync' | 'execFileSync' | 'execSync', Callable>;
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    waiting[name] = telling(waiting[name], ([file]) => String(file).split(' ', 1)[0], reach);
  }
}

function telling(native: Callable, commandOf: (args: readonly unknown[]) => unknown, reach: Reach): Callable {
  return new Proxy(native, {
    apply(target, self: unknown, args: unknown[]) {
      reach('spawn', basename(String(commandOf(args))));
      return Reflect.apply(target as () => unknown, self, args);
    },
  });
}
