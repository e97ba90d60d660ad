import { record } from '@stepfork/recorder';
import { startProvider } from './fake-provider.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';
const request = { article: 'green tea', weeks: 2, pieces_a_case: 12 };

const provider = await startProvider();
// The client of the model, which is constructed when the agent is loaded, is to reach the stand-in.
process.env.ANTHROPIC_BASE_URL = provider.baseURL;
const { reorderAgent } = await import('./agent.js');

const order = await record('reorder-agent', { output, input: request }, (_session, input) => reorderAgent(input));
console.log(order);
provider.close();
