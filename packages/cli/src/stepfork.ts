import { createEnding } from './ending.js';
import { main } from './main.js';
import { createProcessTerminal } from './terminal.js';

const ending = createEnding();
const terminal = createProcessTerminal();
const exitCode = await main(process.argv.slice(2), terminal);
ending.settle(exitCode);
// A replayed agent may have left servers and timers open: leave as soon as the last line is out.
ending.exit((await terminal.flush()) ?? exitCode);
