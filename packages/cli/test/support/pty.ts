import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BIN } from './build.js';
import { twoAtOnce } from './two-at-once.js';

/** What gives a program a terminal of its own, where it is installed (util-linux). */
const SCRIPT = ['/usr/bin/script'].find((file) => process.platform === 'linux' && existsSync(file));
export const HAS_PTY = SCRIPT !== undefined;

export interface Screen {
  readonly exitCode: number | null;
  /** All that was written to the terminal, its line feeds as they were before the terminal made CR LF of them. */
  readonly output: string;
}

interface Typing {
  readonly columns?: number;
  /** Written to the terminal as if it was typed, once a text was seen. */
  readonly typed?: { readonly after: string; readonly text: string };
  readonly env?: NodeJS.ProcessEnv;
  /** Instead of the built program. */
  readonly program?: string;
}

/** Runs the built program in a terminal. */
export function inTerminal(cwd: string, argv: readonly string[], typing: Typing = {}): Promise<Screen> {
  return twoAtOnce(() => startInTerminal(cwd, argv, typing));
}

function startInTerminal(
  cwd: string,
  argv: readonly string[],
  { columns = 100, typed, env = {}, program = BIN }: Typing,
): Promise<Screen> {
  const words = [process.execPath, program, ...argv].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const line = `stty cols ${columns} rows 40; exec ${words}`;
  const { NO_COLOR: _, FORCE_COLOR: __, NODE_OPTIONS: ___, NODE_EXTRA_CA_CERTS: ____, ...rest } = process.env;
  const child = spawn(SCRIPT ?? '', ['-qefc', line, '/dev/null'], {
    cwd,
    env: { ...rest, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let isTyped = typed === undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (isTyped || typed === undefined || !output.includes(typed.after)) return;
    isTyped = true;
    child.stdin.write(typed.text);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, output: output.replaceAll('\r\n', '\n') }));
  });
}

const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]|\\r`, 'g');

/** The same without colours and other sequences. */
export const plain = (output: string): string => output.replaceAll(SEQUENCE, '');
