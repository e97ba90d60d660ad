// Regression test of a recorded run of "booking-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'flight': expected "TP431", got "IB8745"
// Recording: ../../traces/failure.sftrace (run_9628ddd14c614a3aa4372f877504374a, 2026-12-01T08:35:35.806000Z)
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
      digest: 'sha256-hE98wSvflQ3o4BBrLvOidMqHgoqguGPnaYdiAuTqFZ4=',
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
