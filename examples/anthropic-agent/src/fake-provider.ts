import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that stands in for a hosted model. */
export interface Provider {
  readonly baseURL: string;
  readonly close: () => void;
}

/**
 * Speaks Anthropic's wire format on this machine: the same question always gets the same answer, and nothing leaves the
 * machine. Notes in its log that it was asked.
 */
export async function startProvider(): Promise<Provider> {
  const answerTo = thinking();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { model, messages } = JSON.parse(body) as Asked;
    appendFileSync('services.log', `POST /v1/messages ${model}\n`);
    const content = answerTo(messages);
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      stop_reason: content.type === 'tool_use' ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 120, output_tokens: 16 },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { baseURL: `http://127.0.0.1:${port}`, close };
}

interface Asked {
  readonly model: string;
  readonly messages: readonly { readonly content: string | readonly { readonly content?: unknown }[] }[];
}

interface Block extends Readonly<Record<string, unknown>> {
  readonly type: 'text' | 'tool_use';
}

/** First asks for the stock, then works with it. The question it keeps, as the SDK sends each message once. */
function thinking(): (messages: Asked['messages']) => Block {
  let weeks = 0;
  return (messages) => {
    const last = messages.at(-1)?.content ?? '';
    if (typeof last === 'string') {
      const [, article = '', asked = ''] = /of (.+) for (\d+) weeks/.exec(last) ?? [];
      weeks = Number(asked);
      return { type: 'tool_use', id: 'toolu_1', name: 'stock_level', input: { article } };
    }
    const { on_hand, sold_a_week } = JSON.parse(String(last[0]?.content)) as { on_hand: number; sold_a_week: number };
    return { type: 'text', text: String(sold_a_week * weeks - on_hand) };
  };
}
