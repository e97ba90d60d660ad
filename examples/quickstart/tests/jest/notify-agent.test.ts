// Regression test of a recorded run of "notify-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'should_notify': expected true, got false
// Recording: ../../traces/failure.sftrace (run_6ee75326478c458c9472ebc2daeb7213, 2026-12-01T08:35:22.835000Z)
// Recorded calls: tool order_status
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to jest --entrypoint ../../src/agent.ts:notifyAgent \
//     --expect-output <expected.json> --no-copy --output notify-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-jest/setup'; // must stay first
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ReplayReport, replayCase } from '@stepfork/exporter-jest';
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
      digest: 'sha256-7udxBcP8aXF/2z9nb6K8T/qiFpaFO0Xsybr7jfeM4EM=',
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
