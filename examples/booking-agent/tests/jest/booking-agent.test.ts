// Regression test of a recorded run of "booking-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'flight': expected "TP431", got "IB8745"
// Recording: ../../traces/failure.sftrace (run_f053f23d3c3c4e36bef5d506a236798b, 2026-11-30T22:30:12.041000Z)
// Recorded calls: llm travel-small, tool search_flights, llm travel-small
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to jest --entrypoint ../../src/agent.ts:bookingAgent \
//     --expect-output <expected.json> --no-copy --output booking-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-jest/setup'; // must stay first
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ReplayReport, replayCase } from '@stepfork/exporter-jest';
import { bookingAgent } from '../../src/agent.js';

const expected = { flight: 'TP431', price_usd: 142, stops: 0 };

describe('booking-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-TJQqhA1hb+u3bqPDLg7OW2h0VviJ9r21IR4R/XwaQ08=',
      entrypoint: bookingAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
