import { main } from './main.js';
import { createProcessTerminal } from './terminal.js';

// Bound before any of the user's code runs: what that does to `process` must not change how we end.
const exit = process.exit.bind(process);
const terminal = createProcessTerminal();
const exitCode = await main(process.argv.slice(2), terminal);
// A replayed agent may have left servers and timers open: leave as soon as the last line is out.
exit((await terminal.flush()) ?? exitCode);
