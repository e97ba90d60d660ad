import { RESULTS_DESCRIPTOR } from './agent-descriptor.js';
import { dieWithParent } from './die-with-parent.js';
import { descriptorResults } from './results.js';
import { runProgram } from './run-program.js';

const [parent, ...argv] = process.argv.slice(2);
dieWithParent(Number(parent));
await runProgram(argv, descriptorResults(RESULTS_DESCRIPTOR));
