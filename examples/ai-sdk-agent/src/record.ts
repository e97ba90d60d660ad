import { record } from '@stepfork/recorder';
import { startProvider } from './fake-provider.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';
const trip = { cities: ['Rome', 'Oslo'] };

const provider = await startProvider();
// The provider of the model, which is made when the agent is loaded, is to reach the stand-in.
process.env.OPENAI_BASE_URL = provider.baseURL;
process.env.OPENAI_API_KEY = 'none';
const { packingAgent } = await import('./agent.js');

const packed = await record('packing-agent', { output, input: trip }, (_session, input) => packingAgent(input));
console.log(packed);
provider.close();
