import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliOptionsPage } from './cli-options.js';
import { readHelpTexts } from './command-help.js';
import { ROOT } from './workspace.js';

// Writes the page of every option anew from the built command: npm run write:cli-options
writeFileSync(join(ROOT, 'docs/cli-options.md'), cliOptionsPage(await readHelpTexts()));
