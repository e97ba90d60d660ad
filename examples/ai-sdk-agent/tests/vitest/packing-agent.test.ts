// Regression test of a recorded run of "packing-agent", written by Stepfork.
//
// What went wrong: behavior mismatch at 'coat': expected true, got false
// Recording: ../../traces/failure.sftrace (run_694e8ffc18ec49dd85eaaf6f5d917c7d, 2026-12-01T08:36:28.028000Z)
// Recorded calls: llm gpt-4o-mini, tool forecast, tool forecast, llm gpt-4o-mini
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to vitest --entrypoint ../../src/agent.ts:packingAgent \
//     --expect-output <expected.json> --no-copy --output packing-agent.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-vitest/setup'; // must stay first
import { type ReplayReport, replayCase } from '@stepfork/exporter-vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { packingAgent } from '../../src/agent.js';

const expected = {
  cities: ['Rome', 'Oslo'],
  coat: true,
  note: 'Rome 24°C, Oslo 3°C',
};

describe('packing-agent regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-C9NEIZrXlEa23ShW/95f/A51XbSYOba4GmHobaQHqlg=',
      entrypoint: packingAgent,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
