import { describe, expect, it } from 'vitest';
import { memoryTerminal } from '../../../test/support/memory-terminal.js';
import type { Terminal } from '../../terminal.js';
import { showJson as parts, showText } from './json-colours.js';

const showJson = (document: string, terminal: Terminal): string => [...parts([document], terminal)].join('');

const painted = { ...memoryTerminal(), paint: (style: string, text: string) => `<${style}>${text}</>` };

describe('showJson', () => {
  it('tells names, texts, numbers and words apart', () => {
    expect(showJson('{\n  "a \\"b": -1.5e3,\n  "c": ["x: 1", true]\n}', painted)).toBe(`{
  <cyan>"a \\"b"</>: <yellow>-1.5e3</>,
  <cyan>"c"</>: [<green>"x: 1"</>, <dim>true</>]
}`);
  });

  it('folds a long line to the terminal, after a space where there is one, and never in a pipe', () => {
    const document = `{\n  "text": "${'word '.repeat(12).trim()}"\n}`;
    expect(showJson(document, memoryTerminal())).toBe(document);
    const folded = showJson(document, memoryTerminal({ columns: 30 }));
    expect(folded).toBe(`{
  "text": "word word word 
    word word word word word 
    word word word word"
}`);
  });

  it('folds a text without spaces, and leaves the halves of a character together', () => {
    const folded = showText('😀'.repeat(40), memoryTerminal({ columns: 21 }), '');
    expect(folded).toMatch(/^(?:😀|\n {2})+$/u);
    expect(folded.replaceAll(/\n {2}/g, '')).toBe('😀'.repeat(40));
  });
});
