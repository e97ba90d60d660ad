import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that left the coat at home',
    plot: 'The model asks for the weather in both cities. The code looks at the first one, and Oslo comes second.',
    entrypoint: 'src/agent.ts:packingAgent',
    testName: 'packing-agent',
    calls: 4,
    mismatch: "behavior mismatch at 'coat': expected true, got false",
  },
  { keepResults: process.argv.includes('--keep') },
);
