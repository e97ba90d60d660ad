import childProcess from 'node:child_process';
import type net from 'node:net';
import process from 'node:process';
import { getSystemErrorMap } from 'node:util';
import { binding, goOn, type Patches } from '../patches.js';
import { refusal } from '../refusal.js';
import { watchHere } from '../watches.js';
import { baseName, toProgram, type WayOut } from '../way-out.js';
import { noteGoal } from './socket.js';

/** What every form of starting a process comes down to. */
interface SpawnOptions {
  readonly file: string;
  readonly args?: readonly string[];
}

interface ChildView extends childProcess.ChildProcess {
  readonly _handle: { spawn?: (options: NativeOptions) => number; pid?: number };
}

/** What Node hands to the operating system. */
interface NativeOptions {
  readonly stdio?: readonly { readonly type: string; readonly handle?: { readonly close: () => void } }[];
}

const NOT_FOUND = [...getSystemErrorMap()].find(([, [name]]) => name === 'ENOENT')?.[0] ?? -2;

export function patchChildProcess(patches: Patches): void {
  patches.wrap(childProcess.ChildProcess.prototype, 'spawn', (native, self, args) => {
    if (watchHere() === null) return goOn(native, self, args);
    const child = self as ChildView;
    const way = startOf('spawn', args[0] as SpawnOptions);
    const refused = refusal(() => way);
    if (refused !== null) return failing(child, refused, () => goOn(native, self, args));
    const result = goOn(native, self, args);
    for (const stream of child.stdio ?? []) if (stream) noteGoal(stream, way);
    return result;
  });
  patches.wrap(binding('spawn_sync'), 'spawn', (native, self, args) => {
    const refused = refusal(() => startOf('spawn', args[0] as SpawnOptions));
    if (refused !== null) throw refused;
    return goOn(native, self, args);
  });
  if ('execve' in process) {
    patches.wrap(process, 'execve', (native, self, args) => {
      const refused = refusal(() => toProgram('process', 'execve', String(args[0])));
      if (refused !== null) throw refused;
      return goOn(native, self, args);
    });
  }
}

/** As if there were no such program: Node then makes the streams and tells of the error as its callers expect it. */
function failing(child: ChildView, error: Error, start: () => unknown): unknown {
  const { _handle: handle, emit } = child;
  handle.spawn = ({ stdio = [] }) => {
    // Without a process the streams are given no pipes, and nobody would close those that were made for them.
    for (const { type, handle: end } of stdio) if (type === 'pipe' || type === 'overlapped') end?.close();
    return NOT_FOUND;
  };
  handle.pid = 0;
  child.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'error') return Reflect.apply(emit, child, [event, ...args]);
    Reflect.deleteProperty(child, 'emit');
    const isHeard = child.emit('error', error);
    if (child.connected) child.disconnect();
    return isHeard;
  };
  try {
    return start();
  } finally {
    Reflect.deleteProperty(handle, 'spawn');
    Reflect.deleteProperty(handle, 'pid');
    Reflect.set(child, 'pid', undefined);
    for (const stream of child.stdio ?? []) if (stream) leadNowhere(stream as net.Socket);
  }
}

/** Nothing comes from it; what is written to it waits until it is destroyed with its process. */
function leadNowhere(stream: net.Socket): void {
  if (stream.readable) stream.push(null);
  Reflect.set(stream, 'connecting', true);
}

const SHELL = /^(?:(?:ba|z|da|k|a)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh(?:\.exe)?)$/i;
/** Words and nothing that a shell would make more of. */
const PLAIN_LINE = /^[\w@%+=:,./\\ '"-]+$/;

/** A line that a shell is given is called by its program where that is all it starts, else by the shell. */
function startOf(verb: string, { file, args = [] }: SpawnOptions): WayOut {
  const way = toProgram('process', verb, file);
  if (!SHELL.test(baseName(file))) return way;
  const flags = args.slice(1, -1).join(' ');
  const line = flags === '-c' || flags === '/d /s /c' ? unquoted(String(args.at(-1))) : '';
  const [program = ''] = line.split(/\s+/);
  if (!PLAIN_LINE.test(line) || /["'=]/.test(program)) return way;
  const inner = toProgram('process', verb, program);
  return { ...inner, names: [...inner.names, ...way.names] };
}

/** cmd.exe is given its line in quotes. */
function unquoted(line: string): string {
  return line.replace(/^"(.*)"$/, '$1').trim();
}
