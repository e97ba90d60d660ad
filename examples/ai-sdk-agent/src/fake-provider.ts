import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that stands in for a hosted model. */
export interface Provider {
  readonly baseURL: string;
  readonly close: () => void;
}

/**
 * Speaks OpenAI's wire format on this machine: the same messages always get the same answer, and nothing leaves the
 * machine. Notes in its log that it was asked.
 */
export async function startProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { model, messages } = JSON.parse(body) as Asked;
    appendFileSync('services.log', `POST ${request.url} ${model}\n`);
    const message = answerTo(messages);
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_767_225_600,
      model,
      choices: [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }],
      usage: { prompt_tokens: 80, completion_tokens: 20, total_tokens: 100 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseURL: `http://127.0.0.1:${port}/v1`, close };
}

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** Asks for the forecast of every city, then sums up what it is told. */
function answerTo(messages: Asked['messages']): object {
  const forecasts = messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content) as { readonly city: string; readonly degrees: number });
  if (forecasts.length > 0) {
    return { role: 'assistant', content: forecasts.map(({ city, degrees }) => `${city} ${degrees}°C`).join(', ') };
  }
  const cities = /in (.+)\?$/.exec(messages.at(-1)?.content ?? '')?.[1]?.split(' and ') ?? [];
  const calls = cities.map((city, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: 'forecast', arguments: JSON.stringify({ city }) },
  }));
  return { role: 'assistant', content: null, tool_calls: calls };
}
