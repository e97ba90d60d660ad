import { record, traceTool } from '@stepfork/recorder';
import type { RenderTarget } from '../case.js';

/** The agent's file in a project for this target. */
export function agentFile({ typescript, module }: RenderTarget): string {
  if (typescript) return 'agent.ts';
  return module === 'esm' ? 'agent.mjs' : 'agent.cjs';
}

/** One agent in its versions: as it was recorded, its fix, and every way to be something else. */
export function agentSource({ typescript, module }: RenderTarget): string {
  const text = typescript ? ': string' : '';
  const any = typescript ? ': unknown' : '';
  const isModule = typescript || module === 'esm';
  const recorder = isModule
    ? "import { traceTool } from '@stepfork/recorder';"
    : "const { traceTool } = require('@stepfork/recorder');";
  const versions = Object.entries({
    buggy: `(orderId${text}) => answer(orderId, await orderStatus(orderId), false)`,
    fixed: `(orderId${text}) => answer(orderId, await orderStatus(orderId), true)`,
    eager: `(orderId${text}) => {
  await orderStatus(orderId);
  return answer(orderId, await orderStatus(orderId), true);
}`,
    lazy: `(orderId${text}) => answer(orderId, { carrier: 'FedEx' }, true)`,
    swallowing: `(orderId${text}) => {
  await orderStatus(orderId + '-x').catch(() => {});
  return answer(orderId, { carrier: 'FedEx' }, true);
}`,
    renaming: `(orderId${text}) => answer(orderId, await orderStatus(orderId + '-x'), true)`,
    throwing: `(orderId${text}) => {
  await orderStatus(orderId);
  throw new RangeError('the order is late');
}`,
    wordy: `(orderId${text}) => {
  await orderStatus(orderId);
  return { lines: Array.from({ length: 60 }, (_, index) => 'line ' + index) };
}`,
    echoing: `(given${any}) => {
  await orderStatus('ORD-1001');
  return given;
}`,
  }).map(([name, body]) => `${isModule ? `export const ${name} =` : `exports.${name} =`} async ${body};\n`);
  return `${recorder}

const orderStatus = traceTool('order_status', async (orderId${text}) => {
  throw new Error('the tool ran for ' + orderId);
  return { carrier: '' };
});

const answer = (orderId${text}, order${typescript ? ': { carrier: string }' : ''}, notify${typescript ? ': boolean' : ''}) => ({
  order_id: orderId,
  should_notify: notify,
  carrier: order.carrier,
});

${versions.join('\n')}`;
}

/** The configuration's file in a project for this target. */
export function configFile({ typescript, module }: RenderTarget): string {
  if (typescript) return 'stepfork.config.ts';
  return module === 'esm' ? 'stepfork.config.mjs' : 'stepfork.config.cjs';
}

/** A rule by which one order is any other. */
export function configSource({ typescript, module }: RenderTarget): string {
  const exported = typescript || module === 'esm' ? 'export default' : 'module.exports =';
  return `${exported} {
  normalize: { 'tool:order_status': () => 'any order' },
};
`;
}

/** Records the buggy version, for real. */
export async function recordBuggy(output: string): Promise<void> {
  const orderStatus = traceTool('order_status', async (orderId: string) => ({ order_id: orderId, carrier: 'FedEx' }));
  await record('notify-agent', { output, input: 'ORD-1001' }, async () => {
    const { carrier } = await orderStatus('ORD-1001');
    return { order_id: 'ORD-1001', should_notify: false, carrier };
  });
}
