import { createProject, type Project } from './project.js';

/** One agent in its versions: the one that was recorded, its fix, and every way to behave differently. */
const AGENT = `import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { llmRequest, traceTool } from '@stepfork/recorder';

const orderStatus = traceTool({ name: 'order_status', params: ['order_id'] }, async (order_id) => {
  if (order_id === 'ORD-404') throw new RangeError('no such order');
  return { order_id, status: 'shipped', carrier: 'FedEx' };
});
const wording = (status) =>
  llmRequest({
    provider: 'acme',
    model: 'small-1',
    input: { prompt: 'Tell the customer: ' + status },
    call: async () => ({ text: 'Your order has shipped.' }),
  });

async function answer(order_id, notifies) {
  const { status, carrier } = await orderStatus(order_id);
  const { text } = await wording(status);
  return { carrier, order_id, should_notify: notifies(status), text };
}

export const runAgent = ({ order_id }) => answer(order_id, (status) => status === 'delivered');
export const careless = (order) => answer(order?.order_id ?? 'none', () => false);
export const fixed = ({ order_id }) => answer(order_id, (status) => status === 'shipped');
export const drifted = ({ order_id }) => answer(order_id + '-x', () => false);
let runs = 0;
export const moody = ({ order_id }) => answer(order_id, () => runs++ % 2 === 0);
export const skipping = ({ order_id }) => orderStatus(order_id);
export async function eager({ order_id }) {
  const result = await answer(order_id, () => false);
  await orderStatus(order_id);
  return result;
}
export async function throwing(input) {
  await runAgent(input);
  throw new TypeError('cannot read the answer');
}
export async function talking(input) {
  console.log('working on it');
  process.stdout.write('still at it\\n');
  return runAgent(input);
}
export async function shouting(input) {
  writeSync(1, 'by descriptor\\n');
  spawnSync('echo', ['by a child'], { stdio: 'inherit' });
  return runAgent(input);
}
export async function hanging() {
  process.stderr.write('hanging\\n');
  setInterval(() => {}, 1000);
  await new Promise(() => {});
}
export function spinning() {
  process.stderr.write('hanging\\n');
  process.on('SIGINT', () => {});
  for (;;);
}
export async function crashing(input) {
  await runAgent(input);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => setTimeout(() => {}, 60_000));
}
export async function lingering(input) {
  setInterval(() => {}, 1000);
  Promise.reject(new Error('nobody awaits me'));
  setTimeout(() => { throw new RangeError('nobody catches me'); }, 1);
  await sleep(20);
  return runAgent(input);
}
export async function quitting(input) {
  await runAgent(input);
  process.exit(0);
}
/** Tells the model what day it is, here and now. */
export async function dated({ order_id }) {
  const { status } = await orderStatus(order_id);
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format() + ', ' + new Date().toDateString();
  return wording(status + ' on ' + today);
}
export const agents = { nested: { runAgent } };
export default runAgent;
export const notAFunction = 7;
`;

export interface Agents extends Project {
  /** Records a version of the agent into a bundle of the project; resolves even where the agent throws. */
  readonly record: (version: string, bundle: string, input?: object | null) => Promise<void>;
}

/** A project with the agent in JavaScript (`agent.mjs`) and, through a path alias, in TypeScript (`src/typed.ts`). */
export async function createAgents(): Promise<Agents> {
  const project = createProject({
    'agent.mjs': AGENT,
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "paths": { "@agent": ["./agent.mjs"] } } }\n',
    'src/typed.ts': `import { runAgent as untyped } from '@agent';

interface Order {
  readonly order_id: string;
}

export const runAgent = async (order: Order): Promise<unknown> => untyped(order);
`,
    'expected.json':
      '{ "order_id": "ORD-1", "should_notify": true, "carrier": "FedEx", "text": "Your order has shipped." }\n',
  });
  const { record } = await project.recorder();
  const versions = (await import(project.path('agent.mjs'))) as Record<string, (input: object) => Promise<unknown>>;
  return {
    ...project,
    record: async (version, bundle, input = { order_id: 'ORD-1' }) => {
      const run = versions[version];
      if (run === undefined) throw new Error(`there is no version '${version}'`);
      const output = project.path(bundle);
      // Without an input nothing is recorded of what the agent is called with.
      const options = input === null ? { output } : { output, input };
      await record('notify-agent', options, () => run(input ?? { order_id: 'ORD-1' })).catch(() => {});
    },
  };
}
