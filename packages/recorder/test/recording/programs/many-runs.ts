import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';

// Many runs at once, half of the calls of each one after the other and half of them together.
const [, , folder = '', sessions, calls] = process.argv;
const half = Number(calls) / 2;
const work = traceTool('work', async (session: number, call: number) => {
  await new Promise((resolve) => setTimeout(resolve, (session * 7 + call * 13) % 5));
  return `${session}.${call}`;
});

const answers = await Promise.all(
  Array.from({ length: Number(sessions) }, (_, session) =>
    record('agent', { output: join(folder, `s${session}.sftrace`), input: session }, async () => {
      const first: string[] = [];
      for (let call = 0; call < half; call++) first.push(await work(session, call));
      const second = await Promise.all(Array.from({ length: half }, (_each, call) => work(session, half + call)));
      return [...first, ...second];
    }),
  ),
);
process.stdout.write(String(answers.flat().length));
