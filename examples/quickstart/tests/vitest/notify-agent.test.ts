// Regression test of a recorded run of "notify-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'should_notify': expected true, got false
// Recording: ../../traces/failure.sftrace (run_ee727b66b1494b89b683d891972aa588, 2026-12-01T04:36:00.706000Z)
// Recorded calls: tool order_status
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to vitest --entrypoint ../../src/agent.ts:notifyAgent \
//     --expect-output <expected.json> --no-copy --output notify-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-vitest/setup'; // must stay first
import { type ReplayReport, replayCase } from '@stepfork/exporter-vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { notifyAgent } from '../../src/agent.js';

const expected = {
  order_id: 'ORD-1001',
  should_notify: true,
  carrier: 'FedEx',
};

describe('notify-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-y8AdAnyK7iLzUwKaXqAlkLbzx0jc7kn4l4kHowj3I2c=',
      entrypoint: notifyAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
