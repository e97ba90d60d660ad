import { record, traceTool } from '@stepfork/recorder';

const wait = traceTool('wait', () => new Promise(() => {}));

void record('agent', { output: process.argv[2] }, () => wait());
