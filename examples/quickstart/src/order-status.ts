import { appendFileSync } from 'node:fs';
import { traceTool } from '@stepfork/recorder';

export interface OrderStatus {
  readonly order_id: string;
  readonly status: 'processing' | 'shipped' | 'delivered';
  readonly carrier: string;
}

/** Asks the shipping service. A stand-in answers here, and notes in its log that it was asked. */
export const orderStatus = traceTool('order_status', async (orderId: string): Promise<OrderStatus> => {
  appendFileSync('services.log', `GET /orders/${orderId}/status\n`);
  return { order_id: orderId, status: 'shipped', carrier: 'FedEx' };
});
