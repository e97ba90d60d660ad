// Regression test of a recorded run of "incident-triage", written by Stepfork.
//
// What went wrong: behavior mismatch at 'escalation_required': expected true, got false
// Recording: ../../traces/failure.sftrace (run_fada9a46d67945908f402d304ae4cecb, 2026-12-01T08:36:00.441000Z)
// Recorded calls: tool service_health, tool service_health, tool recent_deployments, tool recent_deployments, tool runbook, llm gpt-4o-mini
// Write it anew, in this folder:
//   stepfork export ../../traces/failure.sftrace --to vitest --entrypoint ../../src/agent.ts:incidentTriage \
//     --expect-output <expected.json> --no-copy --output incident-triage.test.ts --overwrite
//
// The agent runs as it is now; the recording answers its calls.

import '@stepfork/exporter-vitest/setup'; // must stay first
import { type ReplayReport, replayCase } from '@stepfork/exporter-vitest';
import { beforeAll, describe, expect, test } from 'vitest';
import { incidentTriage } from '../../src/agent.js';

const expected = {
  service: 'checkout',
  severity: 'sev1',
  escalation_required: true,
  suspect: 'payments 4.12.0',
};

describe('incident-triage regression', () => {
  let run: ReplayReport;

  beforeAll(async () => {
    run = await replayCase({
      trace: '../../traces/failure.sftrace',
      digest: 'sha256-b3Y/exPOUmNTZkiOMpsIiaPTX0IukcV3LcIjpw5sRDs=',
      entrypoint: incidentTriage,
    });
  }, 30_000);

  test('makes the recorded calls', () => {
    expect(run).toHaveReplayed();
  });

  test('returns the corrected output', () => {
    expect(run).toHaveOutput(expected);
  });
});
