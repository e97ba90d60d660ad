import process from 'node:process';
import { displayText } from '@stepfork/trace-format/write';

/** To the person at the terminal, and in the way in which a process that ends can still say something. */
export function say(text: string): void {
  process.stderr.write(`stepfork: ${displayText(text)}\n`);
}
