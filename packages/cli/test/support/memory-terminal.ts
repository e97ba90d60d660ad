import type { Terminal } from '../../src/terminal.js';

/** A terminal that remembers. */
export interface MemoryTerminal extends Terminal {
  readonly stdout: () => string;
  readonly stderr: () => string;
}

interface Surroundings {
  readonly columns?: number | null;
  /** What stands in stdin. */
  readonly input?: string;
}

export function memoryTerminal({ columns = null, input = '' }: Surroundings = {}): MemoryTerminal {
  const results: string[] = [];
  const messages: string[] = [];
  return {
    result: (text) => void results.push(`${text}\n`),
    part: (text) => void results.push(text),
    drained: async () => {},
    message: (text) => void messages.push(`${text}\n`),
    paint: (_, text) => text,
    columns,
    input: async () => input,
    ask: async () => null,
    stdout: () => results.join(''),
    stderr: () => messages.join(''),
  };
}
