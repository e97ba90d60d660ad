import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { anyText, runs } from '../../test/json-arbitrary.js';
import { commentText, lineCommentText } from './comment.js';

describe('commentText', () => {
  test('B255 collapses white space, escapes what does not show, cuts at 200 characters', () => {
    expect(commentText(' a\n\tb\u2028c ')).toBe('a b c');
    expect(commentText('a\u202eb*/')).toBe('a\\u202eb*\\u002f');
    expect(commentText('🦊'.repeat(300))).toBe(`${'🦊'.repeat(200)}…`);
    expect(commentText('@ts-nocheck')).toBe('\\u0040ts-nocheck');
    expect(commentText('someone@example.com')).toBe('someone@example.com');
  });

  test('B255 text cannot end the line comment that alone may hold the end of a block comment', () => {
    expect(lineCommentText("'llm:*=/messages/*/id'")).toBe("'llm:*=/messages/*/id'");
    fc.assert(
      fc.property(anyText, (text) => {
        const source = `// x ${lineCommentText(text)}\n`;
        expect(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest).statements).toHaveLength(0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('B255 text cannot end the line comment or the block comment it stands in', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = commentText(text);
        for (const source of [`// x ${shown}\n`, `/* x ${shown} */\n`]) {
          expect(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest).statements).toHaveLength(0);
        }
        expect(Array.from(shown.replace(/\\u(?:\{\w+\}|\w{4})/g, '.')).length).toBeLessThanOrEqual(203);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
