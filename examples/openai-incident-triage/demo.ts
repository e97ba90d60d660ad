import { fileURLToPath } from 'node:url';
import { play } from '@stepfork/demo';

await play(
  {
    folder: fileURLToPath(new URL('.', import.meta.url)),
    title: 'The agent that let everybody sleep',
    plot: 'Payments are down, and checkout limps. The model says sev1; the code looks at checkout only and says sev3.',
    entrypoint: 'src/agent.ts:incidentTriage',
    testName: 'incident-triage',
    calls: 6,
    mismatch: "behavior mismatch at 'escalation_required': expected true, got false",
  },
  { keepResults: process.argv.includes('--keep') },
);
