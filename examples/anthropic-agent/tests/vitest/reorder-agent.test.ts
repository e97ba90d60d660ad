// Regression test of a recorded run of "reorder-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'cases': expected 3, got 2
// Recording: ../../traces/failure.sftrace (run_9e0c674816454ad38e037bb92b72aeda, 2026-12-01T08:36:13.818000Z)
// Recorded calls: llm claude-sonnet-5, tool stock_level, llm claude-sonnet-5
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to vitest --entrypoint ../../src/agent.ts:reorderAgent \
//     --expect-output <expected.json> --no-copy --output reorder-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-vitest/setup'; // must stay first
import { type ReplayReport, replayCase } from '@stepfork/exporter-vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { reorderAgent } from '../../src/agent.js';

const expected = { article: 'green tea', pieces_needed: 30, cases: 3 };

describe('reorder-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-+QlORnLRqMeyCqiD+FPrZFvqTtOKayRK4RETPaM04ww=',
      entrypoint: reorderAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
