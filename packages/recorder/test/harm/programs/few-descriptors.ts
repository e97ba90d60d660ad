import { closeSync, openSync } from 'node:fs';
import { record, traceTool } from '@stepfork/recorder';

// Many runs at once, each of which opens a file of its own.
const tool = traceTool('tool', async (n: number) => n);
const failures: unknown[] = [];
await Promise.all(
  Array.from({ length: 64 }, (_, n) =>
    record(
      'agent',
      { output: `${process.argv[2]}/${n}.sftrace`, onError: (error) => failures.push(error.message) },
      async () => {
        await tool(n);
        await new Promise((resolve) => setTimeout(resolve, 50));
        try {
          const file = openSync(process.execPath, 'r');
          await new Promise((resolve) => setTimeout(resolve, 50));
          closeSync(file);
        } catch (error) {
          failures.push((error as Error).message);
        }
        await tool(n);
      },
    ),
  ),
);
process.stdout.write(JSON.stringify(failures));
