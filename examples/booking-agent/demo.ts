import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that booked the flight next to it',
    plot: 'The traveller wants the cheapest nonstop flight. The model chooses the right one; the agent books another.',
    entrypoint: 'src/agent.ts:bookingAgent',
    testName: 'booking-agent',
    calls: 3,
    mismatch: `behavior mismatch at 'flight': expected "TP431", got "IB8745"`,
  },
  { keepResults: process.argv.includes('--keep') },
);
