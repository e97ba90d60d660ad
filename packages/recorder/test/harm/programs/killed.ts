import { record, traceTool } from '@stepfork/recorder';

// Calls a tool without end, and says after each call that it returned.
const count = traceTool('count', async (n: number) => n + 1);

await record('agent', { output: process.argv[2] }, async () => {
  for (let n = 0; ; ) {
    n = await count(n);
    process.stdout.write(`returned ${n}\n`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
});
