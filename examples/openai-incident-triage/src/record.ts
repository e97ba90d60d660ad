import { record } from '@stepfork/recorder';
import { startProvider } from './fake-provider.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';
const alert = { service: 'checkout', message: 'More than a third of all payments fail since 14:02.' };

const provider = await startProvider();
// The client of the model, which is constructed when the agent is loaded, is to reach the stand-in.
process.env.OPENAI_BASE_URL = provider.baseURL;
const { incidentTriage } = await import('./agent.js');

const verdict = await record('incident-triage', { output, input: alert }, (_session, input) => incidentTriage(input));
console.log(verdict);
provider.close();
