import { record, traceTool } from '@stepfork/recorder';

const quit = traceTool('quit', (code: number) => process.exit(code));

await record('agent', { output: process.argv[2] }, () => quit(7));
