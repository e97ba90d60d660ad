import { record, traceTool } from '@stepfork/recorder';

// Reads a stream without end, and says after each chunk that it has it.
const count = traceTool('count', async function* () {
  for (let n = 1; ; n++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield n;
  }
});

await record('agent', { output: process.argv[2] }, async () => {
  for await (const n of count()) process.stdout.write(`given ${n}\n`);
});
