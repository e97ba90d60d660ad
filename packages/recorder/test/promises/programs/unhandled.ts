import { record, traceAgent, traceTool } from '@stepfork/recorder';

// Prints what each scenario leaves unhandled, bare and recorded.

const wait = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const soon = (fail: boolean): Promise<unknown> =>
  new Promise((resolve, reject) => setTimeout(() => (fail ? reject(new Error('later')) : resolve(1)), 3));
const handled = <P extends Promise<unknown>>(promise: P): P => {
  promise.catch(() => {});
  return promise;
};
const cached = new Map<string, Promise<unknown>>();
const once = (key: string, make: () => Promise<unknown>): Promise<unknown> => {
  const promise = cached.get(key) ?? make();
  cached.set(key, promise);
  return promise;
};

const MAKERS: Readonly<Record<string, () => unknown>> = {
  'an async function': async () => {
    throw new Error('at once');
  },
  'an async function, later': async () => {
    await wait(3);
    throw new Error('later');
  },
  'an async function that is fine': async () => 1,
  'a function': () => Promise.reject(new Error('at once')),
  'a function, later': () => soon(true),
  'a function that is fine': () => soon(false),
  'a function that has handled it': () => handled(Promise.reject(new Error('at once'))),
  'a function that has handled it, later': () => handled(soon(true)),
  'a function that keeps what it gave': () => once('kept', () => soon(true)),
};

const AGENTS: Readonly<Record<string, (tool: () => unknown) => unknown>> = {
  ignores: (tool) => void tool(),
  'awaits it': async (tool) => {
    try {
      await tool();
    } catch {}
  },
  'awaits it too late': async (tool) => {
    const promise = tool();
    await wait(10);
    try {
      await promise;
    } catch {}
  },
  'handles it in the same turn': async (tool) => {
    const promise = tool() as Promise<unknown>;
    for (let turn = 0; turn < 5; turn++) await null;
    promise.catch(() => {});
  },
  'asks for more and lets that fail': (tool) => void (tool() as Promise<unknown>).then(() => 1),
  'waits for all': (tool) => Promise.allSettled([tool(), tool()]),
  'gives it on': async (tool) => handled((async () => tool())() as Promise<unknown>).catch(() => {}),
  'asks for it twice and ignores one': async (tool) => {
    void tool();
    await Promise.allSettled([tool()]);
  },
};

let left: string[] = [];
process.on('unhandledRejection', (reason) => left.push(`unhandled ${(reason as Error).message}`));
process.on('rejectionHandled', () => left.push('handled after all'));

async function leftBy(run: () => unknown): Promise<string[]> {
  left = [];
  cached.clear();
  await run();
  await wait(25);
  return left.sort();
}

const results: Record<string, { readonly bare: string[]; readonly recorded: string[]; readonly agent: string[] }> = {};
for (const [maker, make] of Object.entries(MAKERS)) {
  for (const [agent, use] of Object.entries(AGENTS)) {
    const tool = traceTool('tool', make as () => unknown);
    let run = 0;
    const traced = traceAgent({ name: 'agent', output: `${process.argv[2]}/agent.sftrace` }, make as () => unknown);
    // A run for each call, so that it is an agent's own promise that is left.
    const agents = (): unknown => (run++ === 0 ? traced() : make());
    results[`${maker}; the agent ${agent}`] = {
      bare: await leftBy(() => use(make)),
      recorded: await leftBy(() =>
        record('agent', { output: `${process.argv[2]}/run.sftrace`, overwrite: true }, () => use(tool)),
      ),
      agent: await leftBy(() => use(agents)),
    };
  }
}
process.stdout.write(JSON.stringify(results));
