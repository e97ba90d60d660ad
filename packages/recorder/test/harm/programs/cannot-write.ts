import { record, traceAgent, traceTool } from '@stepfork/recorder';

// Root may write anywhere: become nobody.
if (process.argv[3] === 'nobody') {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}
const work = traceTool('work', async (size: number) => 'x'.repeat(size));
const output = process.argv[2];
const errors: string[] = [];
const onError = (error: { code: string }): void => {
  errors.push(error.code);
};

const recorded = await record('agent', { output, onError }, async () => {
  for (let call = 0; call < 20; call++) await work(1_000);
  return 'recorded agent';
});
const traced = traceAgent({ name: 'traced', output: `${output}.sftrace`, onError }, async () => {
  for (let call = 0; call < 20; call++) await work(1_000);
  return 'traced agent';
});
process.stdout.write(JSON.stringify({ results: [recorded, await traced()], errors }));
