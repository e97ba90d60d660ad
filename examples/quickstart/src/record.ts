import { record } from '@stepfork/recorder';
import { notifyAgent } from './agent.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';

const decision = await record('notify-agent', { output, input: 'ORD-1001' }, (_session, orderId) =>
  notifyAgent(orderId),
);
console.log(decision);
