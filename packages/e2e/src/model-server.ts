import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  /** What `OPENAI_BASE_URL` is set to. */
  readonly baseUrl: string;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** Stands in for a provider's chat completions, on loopback: it says one thing, whatever it is asked. */
export async function startModelServer(answer: string): Promise<ModelServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o-mini',
          choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 30, completion_tokens: 1, total_tokens: 31 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
