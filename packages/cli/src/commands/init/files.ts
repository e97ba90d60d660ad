import type { Runner } from './project.js';

/** A file that `init` writes where none lies. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

const EXAMPLE = 'stepfork-example.mjs';

export function configFile(runner: Runner, typescript: boolean): NewFile {
  return {
    path: typescript ? 'stepfork.config.ts' : 'stepfork.config.mjs',
    text: `import { defineConfig } from '@stepfork/cli/config';

export default defineConfig({
  exporter: '${runner}',
  // The function that runs each agent, by the name that it is recorded under.
  entrypoints: {
    'example-agent': '${EXAMPLE}:exampleAgent',
  },
});
`,
  };
}

/** An agent with a bug, to be recorded, looked at and made a test. */
export function exampleFile(): NewFile {
  return {
    path: EXAMPLE,
    text: `// An agent with a bug: it tells a customer about an order only when that was delivered.
//
//   node ${EXAMPLE}        records a run
//   npx stepfork list                    shows it
//   npx stepfork inspect latest          shows what it did
//   npx stepfork replay latest           runs this code again, with the recorded answers
//   npx stepfork expect latest           writes expected.json: change should_notify in it to true
//   npx stepfork export latest --expect-output expected.json
//                                        makes it a test, which is red until the bug is gone
import { pathToFileURL } from 'node:url';
import { llmRequest, traceAgent, traceTool } from '@stepfork/recorder';

const orderStatus = traceTool({ name: 'order_status', params: ['orderId'] }, async (orderId) => ({
  orderId,
  status: 'shipped',
  carrier: 'FedEx',
}));

const wording = (status) =>
  llmRequest({
    provider: 'example',
    model: 'small-1',
    input: { prompt: \`Tell the customer: \${status}\` },
    // Here a real agent asks a model.
    call: async () => ({ text: \`Your order was \${status}.\` }),
  });

export const exampleAgent = traceAgent('example-agent', async ({ orderId }) => {
  const { status } = await orderStatus(orderId);
  const { text } = await wording(status);
  return { orderId, text, should_notify: status === 'delivered' };
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(await exampleAgent({ orderId: 'ORD-1001' }));
}
`,
  };
}
