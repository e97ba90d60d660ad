import { traceAgent } from '@stepfork/recorder';
import { piecesNeeded } from './need.js';

export interface Request {
  readonly article: string;
  readonly weeks: number;
  /** The supplier sells whole cases. */
  readonly pieces_a_case: number;
}

/** Decides how many cases to order. */
export const reorderAgent = traceAgent('reorder-agent', async ({ article, weeks, pieces_a_case }: Request) => {
  const needed = await piecesNeeded(article, weeks);
  return { article, pieces_needed: needed, cases: Math.ceil(needed / pieces_a_case) };
});
