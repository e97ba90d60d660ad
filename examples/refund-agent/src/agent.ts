import { traceAgent } from '@stepfork/recorder';
import { readClaim } from './claim.js';
import { checkPolicy, lookupOrder } from './shop.js';

export interface Ticket {
  readonly order_id: string;
  readonly message: string;
}

/** Decides a refund ticket. */
export const refundAgent = traceAgent('refund-agent', async (ticket: Ticket) => {
  const claim = await readClaim(ticket.message);
  const [order, policy] = await Promise.all([lookupOrder(ticket.order_id), checkPolicy()]);
  const eligible = order.days_since_delivery <= policy.window_days || policy.no_window_for.includes(claim.reason);
  return {
    order_id: order.order_id,
    reason: claim.reason,
    decision: eligible ? 'approve' : 'deny',
    refund_usd: eligible ? order.total_usd : 0,
  };
});
