import type { RegressionCase } from '@stepfork/exporter-kit';

/** The README's failure as an exporter gets it. */
export const NOTIFY_CASE: RegressionCase = {
  title: 'notify-agent regression',
  agentName: 'notify-agent',
  runId: 'run_0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  createdAt: '2026-03-04T05:06:07Z',
  problem: "behavior mismatch at 'should_notify': expected true, got false",
  fileName: 'notify-agent.test.ts',
  target: { module: 'esm', typescript: true, globals: false },
  entrypoint: { specifier: '../src/agent.js', exportName: 'notifyAgent', file: '../src/agent.ts' },
  trace: {
    path: './__traces__/notify-agent.sftrace',
    digest: 'sha256-2Y1pm0Z1Vu2xN5rTnXo5tnVQk3zq0d1mEo4J8hZc7yA=',
  },
  expected: { order_id: 'ORD-1001', should_notify: true, carrier: 'FedEx' },
  recordedOutput: { order_id: 'ORD-1001', should_notify: false, carrier: 'FedEx' },
  recordedEnd: 'returned',
  recordedFailure: null,
  recordedCalls: [{ kind: 'tool', name: 'order_status' }],
  timeoutMs: 30_000,
};
