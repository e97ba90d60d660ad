import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that denied a refund that was due',
    plot: 'The kettle came cracked, so the 30 days do not matter. The agent looks at the 30 days only.',
    entrypoint: 'src/agent.ts:refundAgent',
    testName: 'refund-agent',
    calls: 3,
    mismatch: `behavior mismatch at 'decision': expected "approve", got "deny"`,
  },
  { keepResults: process.argv.includes('--keep') },
);
