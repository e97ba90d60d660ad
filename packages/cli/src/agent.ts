import { RESULTS_DESCRIPTOR } from './agent-descriptor.js';
import { descriptorResults } from './results.js';
import { runProgram } from './run-program.js';

await runProgram(process.argv.slice(2), descriptorResults(RESULTS_DESCRIPTOR));
