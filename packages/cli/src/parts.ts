import type { Terminal } from './terminal.js';

/** Characters that are written at once. */
const AT_ONCE = 64 * 1024;

/**
 * Writes a result that comes in parts, and a line feed after the last one. What the requests of a long conversation
 * repeat is more than one text can hold, so that no part is kept once it has left.
 */
export async function writeParts(parts: Iterable<string>, terminal: Terminal): Promise<void> {
  let waiting: string[] = [];
  let size = 0;
  for (const part of parts) {
    waiting.push(part);
    size += part.length;
    if (size < AT_ONCE) continue;
    terminal.part(waiting.join(''));
    await terminal.drained();
    waiting = [];
    size = 0;
  }
  terminal.result(waiting.join(''));
  await terminal.drained();
}

/** The parts of several texts, with `between` between each two. */
export function* joined(texts: Iterable<Iterable<string>>, between: string): Generator<string, void, undefined> {
  let isFirst = true;
  for (const parts of texts) {
    if (!isFirst) yield between;
    isFirst = false;
    yield* parts;
  }
}
