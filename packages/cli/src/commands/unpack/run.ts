import { relative } from 'node:path';
import { displayText, unpackBundle } from '@stepfork/trace-format';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

interface Given {
  readonly file: string;
  readonly output: string | undefined;
}

export async function runUnpack({ file, output }: Given, terminal: Terminal): Promise<ExitCode> {
  const bundle = unpackBundle(file, output);
  terminal.result(`unpacked ${displayText(file)} into ${displayText(relative('', bundle))}`);
  return EXIT.same;
}
