/** A test that a person wrote with the matchers: what is green, and the same turned round. */
const GREEN = [
  'toHaveReplayed()',
  "toHaveOutput({ order_id: 'ORD-1001', should_notify: true, carrier: 'FedEx' })",
  'toMatchOutput({ should_notify: true })',
  "toHaveCalledTool('order_status')",
  "toHaveCalledTool('order_status', { args: ['ORD-1001'] })",
  "toHaveCalledTools(['order_status'])",
  "toHaveCalledTools(['order_status'], { strict: false })",
  'toHaveTakenAtMost(1)',
  'toHaveTrajectory({ counts: { order_status: 1 }, order: [], max_steps: 1 })',
];
const RED = [
  'toMatchOutput({ should_notify: false })',
  "toHaveThrown('RangeError', /late/)",
  "toHaveCalledTool('refund')",
  "toHaveCalledTool('order_status', { args: ['ORD-7'] })",
  "toHaveCalledTools(['order_status', 'order_status'])",
  'toHaveTakenAtMost(0)',
  "toHaveTrajectory({ not_called: ['order_status'] })",
];
/** None of these says anything of a run whose calls diverged, nor does its opposite. */
const JUDGING = [...GREEN.slice(1), ...RED];

/**
 * One test each. The names say what has to come of it: `green …`, `red …`.
 *
 * @param imports the lines that the test file begins with, which import `fixed` and `swallowing`
 */
export function matcherTests(imports: string, typescript: boolean): string {
  const test = (name: string, run: string, assertion: string): string =>
    `test(${JSON.stringify(name)}, () => {\n  expect(${run}).${assertion};\n});\n`;
  const type = typescript ? ': ReplayReport' : '';
  return `${imports}
let run${type};
let left${type};
beforeAll(async () => {
  run = await replayCase({ trace: '../traces/failure.sftrace', entrypoint: fixed });
  left = await replayCase({ trace: '../traces/failure.sftrace', entrypoint: swallowing });
});

${[
  ...GREEN.flatMap((each) => [test(`green ${each}`, 'run', each), test(`red not.${each}`, 'run', `not.${each}`)]),
  ...RED.flatMap((each) => [test(`red ${each}`, 'run', each), test(`green not.${each}`, 'run', `not.${each}`)]),
  ...JUDGING.flatMap((each) => [
    test(`red diverged ${each}`, 'left', each),
    test(`red diverged not.${each}`, 'left', `not.${each}`),
  ]),
  test('red diverged toHaveReplayed()', 'left', 'toHaveReplayed()'),
  test('green diverged not.toHaveReplayed()', 'left', 'not.toHaveReplayed()'),
].join('\n')}`;
}

/** The agent that these tests run, as an ES module or in TypeScript. */
export function matcherAgent(typescript: boolean): string {
  const type = typescript ? ': string' : '';
  return `import { traceTool } from '@stepfork/recorder';

const orderStatus = traceTool('order_status', async (orderId${type}) => ({ status: orderId, carrier: '' }));

export async function fixed(orderId${type}) {
  const { carrier } = await orderStatus(orderId);
  return { order_id: orderId, should_notify: true, carrier };
}

export async function swallowing(orderId${type}) {
  const { carrier } = await orderStatus(orderId);
  await orderStatus(orderId).catch(() => {});
  return { order_id: orderId, should_notify: true, carrier };
}
`;
}
