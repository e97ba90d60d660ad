import { appendFileSync } from 'node:fs';
import { traceTool } from '@stepfork/recorder';
import type { Claim } from './claim.js';

export interface Order {
  readonly order_id: string;
  readonly total_usd: number;
  readonly days_since_delivery: number;
}

export interface RefundPolicy {
  readonly window_days: number;
  /** Reasons for which a refund is due however long ago the delivery was. */
  readonly no_window_for: readonly Claim['reason'][];
}

/** Reads the order system. A stand-in answers here, and notes in its log that it was asked. */
export const lookupOrder = traceTool(
  { name: 'lookup_order', params: ['order_id'] },
  async (orderId: string): Promise<Order> => {
    appendFileSync('services.log', `GET /orders/${orderId}\n`);
    return { order_id: orderId, total_usd: 64.5, days_since_delivery: 41 };
  },
);

/** Reads the shop's refund policy; likewise a stand-in. */
export const checkPolicy = traceTool('check_policy', async (): Promise<RefundPolicy> => {
  appendFileSync('services.log', 'GET /policies/refund\n');
  return { window_days: 30, no_window_for: ['damaged', 'wrong_item'] };
});
