// A server on the loopback address in a process of its own, so that its work is in nobody's figures. Tells its origin
// to the process that started it, and ends with it.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ANSWER, SEARCH_PATH } from './http/exchange.js';
import { STREAM_PATH, STREAMED } from './http/stream.js';

const routes: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  [SEARCH_PATH]: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER),
  [STREAM_PATH]: (response) => stream(response.writeHead(200, { 'content-type': 'text/event-stream' })),
};

async function stream(response: ServerResponse): Promise<void> {
  for (const event of STREAMED) {
    response.write(event);
    // As a model does: one token, then a pause.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  response.end();
}

const server = createServer((request, response) => {
  const route = routes[request.url ?? ''] ?? (() => response.writeHead(404).end());
  // The whole request first, as whoever reads a body does.
  request.resume().on('end', () => route(response));
});
// Longer than any round: nobody pays for a new connection.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
