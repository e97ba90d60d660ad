import { stripVTControlCharacters } from 'node:util';

export interface Screen {
  readonly colour: boolean;
  readonly heading: (text: string) => void;
  readonly text: (text: string) => void;
  readonly command: (words: readonly string[]) => void;
  readonly output: (line: string) => void;
  readonly blank: () => void;
}

/** Prints to `stream`: colour on a terminal, plain text elsewhere. */
export function createScreen(stream: NodeJS.WriteStream): Screen {
  const colour = stream.isTTY === true && (process.env.NO_COLOR ?? '') === '';
  const style = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const print = (line: string): void => {
    stream.write(`${line}\n`);
  };
  let lastWasBlank = false;
  return {
    colour,
    heading: (text) => print(style(1, text)),
    text: print,
    command: (words) => {
      lastWasBlank = true;
      for (const line of commandLines(words)) print(`  ${style(36, line)}`);
    },
    // Runs of empty lines carry nothing here.
    output: (line) => {
      const isBlank = stripVTControlCharacters(line).trim() === '';
      if (!(isBlank && lastWasBlank)) print(`  ${style(2, '│')} ${line}`.trimEnd());
      lastWasBlank = isBlank;
    },
    blank: () => print(''),
  };
}

const WIDTH = 100;

/** A long command goes on in the next line, as it may be typed, with an option and its value kept together. */
function commandLines(words: readonly string[]): readonly string[] {
  const parts = words
    .map(quoted)
    .join(' ')
    .split(/ (?=--)/);
  const lines = [`$ npx ${parts[0]}`];
  for (const part of parts.slice(1)) {
    const line = `${lines.pop()} ${part}`;
    if (line.length <= WIDTH) lines.push(line);
    else lines.push(`${line.slice(0, -part.length)}\\`, `    ${part}`);
  }
  return lines;
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
