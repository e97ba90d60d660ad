import { appendFileSync } from 'node:fs';

export interface Stock {
  readonly article: string;
  readonly on_hand: number;
  readonly sold_a_week: number;
}

/** Asks the warehouse. A stand-in answers here, and notes in its log that it was asked. */
export async function stockOf(article: string): Promise<Stock> {
  appendFileSync('services.log', `GET /stock/${article}\n`);
  return { article, on_hand: 6, sold_a_week: 18 };
}
