import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that did not tell',
    plot: 'An order has shipped. The agent should notify the customer, but it does so only on delivery.',
    entrypoint: 'src/agent.ts:notifyAgent',
    testName: 'notify-agent',
    calls: 1,
    mismatch: "behavior mismatch at 'should_notify': expected true, got false",
  },
  { keepResults: process.argv.includes('--keep') },
);
