import { record, traceTool } from '@stepfork/recorder';

const wait = traceTool('wait', () => new Promise(() => {}));

if (process.argv[3] === 'survives') process.on('uncaughtException', () => {});

await record('agent', { output: process.argv[2] }, async () => {
  setTimeout(() => {
    throw new RangeError('in a timer');
  }, 1);
  const settled = process.argv[3] === 'survives' ? new Promise((resolve) => setTimeout(resolve, 20)) : wait();
  await settled;
});
process.stdout.write('finished\n');
