import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that ordered too little',
    plot: 'Thirty pieces are needed, and twelve make a case. The model says thirty; the code orders two cases.',
    entrypoint: 'src/agent.ts:reorderAgent',
    testName: 'reorder-agent',
    calls: 3,
    mismatch: "behavior mismatch at 'cases': expected 3, got 2",
  },
  { keepResults: process.argv.includes('--keep') },
);
