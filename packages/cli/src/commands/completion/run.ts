import { SCRIPTS, type Shell } from '../../completion/scripts.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

interface Given {
  readonly shell: string | undefined;
}

export async function runCompletion({ shell = shellInUse() }: Given, terminal: Terminal): Promise<ExitCode> {
  terminal.result(SCRIPTS[shell as Shell]);
  return EXIT.same;
}

const shellInUse = (): Shell => (/zsh$/.test(process.env.SHELL ?? '') ? 'zsh' : 'bash');
