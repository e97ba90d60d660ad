import { relative } from 'node:path';
import { displayText, packBundle } from '@stepfork/trace-format';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

interface Given {
  readonly bundle: string;
  readonly output: string | undefined;
}

export async function runPack({ bundle, output }: Given, terminal: Terminal): Promise<ExitCode> {
  const file = packBundle(bundle, output);
  terminal.result(`packed ${displayText(bundle)} into ${displayText(relative('', file))}`);
  return EXIT.same;
}
