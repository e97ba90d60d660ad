import type { Style, Terminal } from '../../terminal.js';

interface Piece {
  readonly text: string;
  readonly style: Style | null;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(?=(:)?)|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|[^"\w-]+|[\s\S]/g;

/**
 * A JSON document, given in parts, with its names and values told apart by colour and its long lines folded to the
 * terminal.
 */
export function* showJson(document: Iterable<string>, terminal: Terminal): Generator<string, void, undefined> {
  let line = '';
  for (const part of document) {
    const lines = `${line}${part}`.split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines) yield `${showLine(whole, terminal)}\n`;
  }
  yield showLine(line, terminal);
}

function showLine(line: string, terminal: Terminal): string {
  return fold(piecesOf(line), terminal, ' '.repeat(/^ */.exec(line)?.[0].length ?? 0));
}

/** A text, its lines folded to the terminal; `indent` stands in front of what continues one. */
export function showText(text: string, terminal: Terminal, indent: string): string {
  return fold([{ text, style: null }], terminal, indent);
}

function piecesOf(line: string): readonly Piece[] {
  return Array.from(line.matchAll(TOKEN), ([text, string, colon, number, word]) => {
    if (string !== undefined) return { text, style: colon === undefined ? 'green' : 'cyan' };
    if (number !== undefined) return { text, style: 'yellow' };
    return { text, style: word === undefined ? null : 'dim' };
  });
}

function fold(pieces: readonly Piece[], { columns, paint }: Terminal, indent: string): string {
  const width = columns === null ? Number.POSITIVE_INFINITY : Math.max(20, columns);
  const hanging = indent.length > width / 2 ? '' : `${indent}  `;
  let line = '';
  let room = width;
  for (const { text, style } of pieces) {
    let rest = text;
    while (rest !== '') {
      const part = rest.slice(0, breakAt(rest, room));
      line += style === null ? part : paint(style, part);
      room -= part.length;
      rest = rest.slice(part.length);
      if (rest === '') continue;
      line += `\n${hanging}`;
      room = width - hanging.length;
    }
  }
  return line;
}

/** After a space where one is near, never within a surrogate pair, and never nowhere. */
function breakAt(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const space = text.lastIndexOf(' ', room - 1) + 1;
  const at = space > room * 0.6 ? space : room;
  return Math.max(1, /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at);
}
