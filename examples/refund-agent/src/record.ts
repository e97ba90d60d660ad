import { record } from '@stepfork/recorder';
import { refundAgent } from './agent.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';
const ticket = {
  order_id: 'A-2231',
  message: 'The kettle came cracked. I was abroad and opened the box only now. May I have my money back?',
};

const decision = await record('refund-agent', { output, input: ticket }, (_session, input) => refundAgent(input));
console.log(decision);
