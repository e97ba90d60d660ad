import { shell } from './run.js';

/**
 * What a command prints on a terminal that is so many columns wide, colours included. By `script` of util-linux, which
 * gives a program a terminal.
 */
export async function onTerminal(command: string, folder: string, columns: number): Promise<string> {
  const line = `unset NO_COLOR; stty cols ${columns} rows 50; ${command}`;
  const { stdout } = await shell(`script -qc "$LINE" /dev/null`, {
    cwd: folder,
    env: { LINE: line, TERM: 'xterm-256color', SHELL: '/bin/sh' },
  });
  return stdout.replaceAll('\r', '');
}
