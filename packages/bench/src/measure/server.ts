import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs `work` beside the server of server.ts, and ends that. */
export async function besideServer<T>(work: (origin: string) => Promise<T>): Promise<T> {
  const server = fork(fileURLToPath(new URL('./server.js', import.meta.url)));
  try {
    const [origin] = await once(server, 'message');
    return await work(String(origin));
  } finally {
    server.disconnect();
  }
}
