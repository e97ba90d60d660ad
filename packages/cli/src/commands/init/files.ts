import type { Runner } from './project.js';

/** A file that `init` writes where none lies. */
export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** How the example is written: a CommonJS project's jest runs no ES modules without more ado. */
export type ModuleKind = 'esm' | 'cjs';

export const exampleName = (kind: ModuleKind): string =>
  kind === 'esm' ? 'stepfork-example.mjs' : 'stepfork-example.cjs';

export function configFile(runner: Runner, typescript: boolean, kind: ModuleKind): NewFile {
  return {
    path: typescript ? 'stepfork.config.ts' : 'stepfork.config.mjs',
    text: `import { defineConfig } from '@stepfork/cli/config';

export default defineConfig({
  exporter: '${runner}',
  // The function that runs each agent, by the name that it is recorded under.
  entrypoints: {
    'example-agent': '${exampleName(kind)}:exampleAgent',
  },
});
`,
  };
}

/** An agent with a bug, to be recorded, looked at and made a test. */
export function exampleFile(kind: ModuleKind): NewFile {
  const name = exampleName(kind);
  const esm = kind === 'esm';
  return {
    path: name,
    text: `// An agent with a bug: it tells a customer about an order only when that was delivered.
//
//   node ${name}            records a run
//   npx stepfork list                    shows it
//   npx stepfork inspect latest          shows what it did
//   npx stepfork replay latest           runs this code again, with the recorded answers
//   npx stepfork expect latest           writes expected.json: change should_notify in it to true
//   npx stepfork export latest --expect-output expected.json
//                                        makes it a test, which is red until the bug is gone
${
  esm
    ? "import { pathToFileURL } from 'node:url';\nimport { llmRequest, traceAgent, traceTool } from '@stepfork/recorder';"
    : "const { llmRequest, traceAgent, traceTool } = require('@stepfork/recorder');"
}

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

${esm ? 'export ' : ''}const exampleAgent = traceAgent('example-agent', async ({ orderId }) => {
  const { status } = await orderStatus(orderId);
  const { text } = await wording(status);
  return { orderId, text, should_notify: status === 'delivered' };
});

${
  esm
    ? `if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(await exampleAgent({ orderId: 'ORD-1001' }));
}`
    : `module.exports = { exampleAgent };

if (require.main === module) exampleAgent({ orderId: 'ORD-1001' }).then(console.log);`
}
`,
  };
}
