import { expect, test } from 'vitest';
import { cliOptionsPage } from '../../src/cli-options.js';
import { readHelpTexts } from '../../src/command-help.js';
import { readPage } from '../../src/site.js';

test('the page of every option is what the command says of itself: npm run write:cli-options', async () => {
  expect(readPage('cli-options.md')).toBe(cliOptionsPage(await readHelpTexts()));
});

test('a help text becomes a section with its places, its options and its examples', () => {
  const help = `stepfork find <what>

Find something

Positionals:
  what  What to find  [string] [required]
  dir   Where  [string]

Options:
  -h, --help   Show what a command takes  [boolean]
      --order  By a|b, as <name>  [choices: "age", "size"] [default: "age"]
      --limit  At most so many  [number]

Examples:
  stepfork find x --limit 1  the first
  stepfork find x
`;
  expect(cliOptionsPage(new Map([['find', help]]))).toContain(`## find

\`stepfork find <what>\`: find something.

| | takes | |
|---|---|---|
| \`<what>\` | a text, always | What to find |
| \`[dir]\` | a text | Where |
| \`--order\` | \`age\` (unless given), \`size\` | By a\\|b, as \\<name> |
| \`--limit\` | a number | At most so many |

\`\`\`sh
stepfork find x --limit 1 # the first
stepfork find x
\`\`\`
`);
});
