import { setTimeout as wait } from 'node:timers/promises';
import { traceAgent } from '@stepfork/recorder';
import { isThere, loadTrace } from '@stepfork/trace-format';

// Reads one chunk of an agent's stream and forgets the stream.
const [output = ''] = process.argv.slice(2);
const agent = traceAgent({ name: 'agent', output }, async function* () {
  yield 'chunk 0';
  yield 'chunk 1';
});
await agent().next();
for (let turn = 0; turn < 500 && !isThere(output); turn++) {
  (globalThis as { gc?: () => void }).gc?.();
  await wait(10);
}
console.log(loadTrace(output).status);
