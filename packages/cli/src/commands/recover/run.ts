import { relative } from 'node:path';
import { displayText, recoverBundle } from '@stepfork/trace-format';
import { isPartialPath } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

export async function runRecover({ bundle }: { readonly bundle: string }, terminal: Terminal): Promise<ExitCode> {
  const { path, status, events, dropped } = recoverBundle(bundle);
  const whole = `${events} ${events === 1 ? 'event' : 'events'}, ${status}`;
  const name = displayText(relative('', path));
  const isLeftover = isPartialPath(bundle);
  terminal.result(
    isLeftover ? `recovered ${name}: ${whole}` : `${name} is whole, nothing had to be recovered: ${whole}`,
  );
  for (const { file, line, bytes } of dropped) {
    terminal.result(`  line ${line} of ${displayText(file)} was cut off while it was written: ${bytes} bytes left out`);
  }
  return EXIT.same;
}
