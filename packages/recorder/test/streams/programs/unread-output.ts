import { traceAgent } from '@stepfork/recorder';

// Reads one chunk of an agent's stream and ends.
const [output = '', exitCode = '0'] = process.argv.slice(2);
const agent = traceAgent({ name: 'agent', output }, async function* () {
  for (let i = 0; ; i++) yield `chunk ${i}`;
});
const stream = agent();
await stream.next();
process.exitCode = Number(exitCode);
process.on('exit', () => stream);
