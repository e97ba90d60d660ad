import { record } from '@stepfork/recorder';
import { bookingAgent } from './agent.js';

const output = process.argv[2] ?? '.stepfork/traces/failure.sftrace';
const request = 'The cheapest nonstop flight from Paris to Lisbon on 2026-06-02, please.';

const booking = await record('booking-agent', { output, input: request }, (_session, text) => bookingAgent(text));
console.log(booking);
