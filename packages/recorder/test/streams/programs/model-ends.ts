import { llmRequest, record, traceTool } from '@stepfork/recorder';

// Reads what a model streams without end, and goes on, or ends, as it is told to by its argument.
const [output, ending] = process.argv.slice(2);
const look = traceTool('look', (n: number) => n);

const endings: Readonly<Record<string, (n: number) => unknown>> = {
  // Says that it has the chunk once other work had its turn.
  killed: async (n) => {
    await new Promise(setImmediate);
    process.stdout.write(`given ${n}\n`);
  },
  exits: (n) => n === 3 && process.exit(7),
  throws: (n) => n === 3 && setImmediate(() => thrown()) && new Promise(() => {}),
  'kills itself in a tool': (n) => look(n) === 3 && process.kill(process.pid, 'SIGKILL'),
};

function thrown(): never {
  throw new Error('of the program');
}

await record('agent', { output }, async () => {
  const answer = llmRequest({
    provider: 'p',
    model: 'm',
    input: {},
    call: async function* () {
      for (let n = 1; ; n++) yield n;
    },
  });
  for await (const n of answer) await endings[ending ?? '']?.(n);
});
