import { record } from '@stepfork/recorder';

// Has a shutdown of its own, by a listener that is called once.
process.once('SIGTERM', async () => {
  await new Promise((resolve) => setTimeout(resolve, 30));
  process.stdout.write('cleaned up\n');
  process.exit(3);
});

await record('agent', { output: process.argv[2], handleSignals: true }, async () => {
  process.kill(process.pid, 'SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 5_000));
});
