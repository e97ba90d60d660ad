import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export interface LocalServers {
  /**
   * @param answer called when a request is all there
   * @returns the server's origin
   */
  readonly serve: (answer: (request: IncomingMessage, response: ServerResponse) => void) => Promise<string>;
  /** How many requests they were sent in this test. */
  readonly asked: () => number;
}

/** Servers on the loopback address, each of which is gone when its test is over. */
export function localServers(): LocalServers {
  const open: Server[] = [];
  let asked = 0;
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
    asked = 0;
  });
  return {
    async serve(answer) {
      const server = createServer((request, response) => {
        asked++;
        request.resume().on('end', () => answer(request, response));
      });
      open.push(server);
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    asked: () => asked,
  };
}
