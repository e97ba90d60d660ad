import { traceAgent } from '@stepfork/recorder';
import { orderStatus } from './order-status.js';

/** Decides whether a customer hears about an order now. */
export const notifyAgent = traceAgent('notify-agent', async (orderId: string) => {
  const order = await orderStatus(orderId);
  return {
    order_id: orderId,
    should_notify: order.status === 'delivered',
    carrier: order.carrier,
  };
});
