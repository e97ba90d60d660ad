import { record, traceTool } from '@stepfork/recorder';

const fail = traceTool('fail', async () => {
  throw new RangeError('nobody handles this');
});

await record('agent', { output: process.argv[2] }, async () => {
  void fail();
  await new Promise((resolve) => setTimeout(resolve, 50));
});
process.stdout.write('finished\n');
