import { join } from 'node:path';
import type { BuildCaseInput, Exporter } from '@stepfork/exporter-kit';
import { buildCase, detectTarget, renderCase } from '@stepfork/exporter-kit';
import { record, traceAgent, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';

/** How an agent's source is written. */
export type Style = 'ts' | 'esm' | 'cjs';

/** What the agent of the README should have said. */
export const EXPECTED = { order_id: 'ORD-1001', should_notify: true, carrier: 'FedEx' };

/** What else a test may expect, for the types of what is written. */
export const EXPECTATIONS: Readonly<Record<string, Partial<BuildCaseInput>>> = {
  'a part': { match: { should_notify: true } },
  'an error': { error: { type: 'RangeError', message: 'late' } },
  'steps alone': {
    trajectory: { called: ['order_status'], counts: {}, arguments: [], order: [['a', 'b']], max_steps: null },
  },
  'long ones': {
    expected: { lines: Array.from({ length: 60 }, (_, index) => `line ${index}`) },
    trajectory: { called: Array.from({ length: 60 }, () => 'order_status') },
  },
  'what was recorded': { same: true, traceDigest: 'sha256-x' },
};

/** The agent of the README, asking for an order's status once per condition; it notifies by the last answer. */
export function notifyAgent(style: Style, condition: string, asks = 1): string {
  const type = style === 'ts' ? ': string' : '';
  const calls = Array.from({ length: asks }, () => '  order = await orderStatus(orderId);').join('\n');
  return `${
    style === 'cjs'
      ? "const { traceAgent, traceTool } = require('@stepfork/recorder');"
      : "import { traceAgent, traceTool } from '@stepfork/recorder';"
  }

const orderStatus = traceTool('order_status', async (orderId${type}) => {
  throw new Error(\`the tool ran for \${orderId}\`);
  return { status: '', carrier: '' };
});

${style === 'cjs' ? 'exports.notifyAgent =' : 'export const notifyAgent ='} traceAgent('notify-agent', async (orderId${type}) => {
  let order = { status: '', carrier: '' };
${calls}
  return { order_id: orderId, should_notify: order.status === '${condition}', carrier: order.carrier };
});
`;
}

/** Records the buggy agent's run, for real. */
export async function recordFailure(output: string): Promise<void> {
  const orderStatus = traceTool('order_status', async (orderId: string) => ({
    order_id: orderId,
    status: 'shipped',
    carrier: 'FedEx',
  }));
  const agent = traceAgent('notify-agent', async (orderId: string) => {
    const order = await orderStatus(orderId);
    return { order_id: orderId, should_notify: order.status === 'delivered', carrier: order.carrier };
  });
  await record('notify-agent', { output, input: 'ORD-1001' }, (_session, orderId) => agent(orderId as string));
}

/** What `stepfork export` does after its own checks: the text of the test. */
export function exported(
  exporter: Exporter,
  folder: string,
  entrypoint: string,
  testFile: string,
  expects: Partial<BuildCaseInput> = { expected: EXPECTED },
): string {
  const tracePath = join(folder, 'traces', 'failure.sftrace');
  const entrypointFile = join(folder, entrypoint);
  const target = detectTarget(join(folder, testFile, '..'), exporter.name, { entrypointFile, testFile });
  const regression = buildCase({
    trace: loadTrace(tracePath),
    tracePath,
    entrypointFile,
    exportName: 'notifyAgent',
    testFile: join(folder, testFile),
    ...expects,
    target,
  });
  return renderCase(exporter, regression)[0]?.text ?? '';
}
