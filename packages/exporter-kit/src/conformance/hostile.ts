import type { Json } from '@stepfork/trace-format';
import type { RegressionCase } from '../case.js';

/** Ends the process, and with it the run, wherever it becomes code. */
const BOMB = 'process.exit(9);';

/** Text that means something to a parser, a terminal, a test runner or a reviewer. What would mean it here is joined. */
const PIECES: readonly string[] = [
  `'); ${BOMB} ('`,
  `"); ${BOMB} ("`,
  `\`); ${BOMB} (\``,
  `\${${BOMB.slice(0, -1)}}`,
  `\\'); ${BOMB} //`,
  `*/ ${BOMB} /*`,
  `\n${BOMB} //`,
  `\r\n${BOMB} //`,
  `\u2028${BOMB} //`,
  `\u2029${BOMB} //`,
  `</script><script>${BOMB}</script>`,
  `<!-- ${BOMB} -->`,
  ['@ts', 'nocheck'].join('-'),
  '@vitest-environment jsdom',
  '@jest-environment ./none',
  '// @module-tag none',
  '/// <reference path="none" />',
  '//# sourceMappingURL=none.map',
  '#!/bin/sh',
  ['eslint', 'disable'].join('-'),
  '__proto__',
  'constructor',
  '\0\u0007\u001b[2J',
  '\u202e\u200b\ufeff\u{e0041}',
  '\ud800',
  '🦊 é',
];

/** JSON that has the text as a key and as a value, and what literals are easily written wrong for. */
function hostileJson(text: string): Json {
  return { [text]: [text, { nested: text }], ...LITERALS };
}

const LITERALS = { zero: -0, big: 12345678901234567890n, huge: 1e21, none: null, list: [], object: {} };

/** The case, with hostile text wherever a bundle or a user can put some; one for each kind of text, and one for all. */
export function hostileCases(plain: RegressionCase): readonly RegressionCase[] {
  return [...PIECES, PIECES.join('')].map((text) => ({
    ...plain,
    title: text,
    agentName: text,
    runId: text,
    createdAt: text,
    problem: text,
    input: hostileJson(text),
    expected: hostileJson(text),
    recordedOutput: hostileJson(text),
    recordedCalls: [{ kind: 'tool', name: text }],
  }));
}
