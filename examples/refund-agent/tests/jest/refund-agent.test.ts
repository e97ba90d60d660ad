// Regression test of a recorded run of "refund-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'decision': expected "approve", got "deny"
// Recording: ../../traces/failure.sftrace (run_619517859c4a4afeb45ff385d18684f1, 2026-12-01T08:35:47.812000Z)
// Recorded calls: llm support-small, tool lookup_order, tool check_policy
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to jest --entrypoint ../../src/agent.ts:refundAgent \
//     --expect-output <expected.json> --no-copy --output refund-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-jest/setup'; // must stay first
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ReplayReport, replayCase } from '@stepfork/exporter-jest';
import { refundAgent } from '../../src/agent.js';

const expected = {
  order_id: 'A-2231',
  reason: 'damaged',
  decision: 'approve',
  refund_usd: 64.5,
};

describe('refund-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-54tulGQG1Ef8VSLx+VlaapTQQZyYDrTDMVOLkssuGxM=',
      entrypoint: refundAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
