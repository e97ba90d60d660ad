import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that stands in for a hosted model. */
export interface Provider {
  readonly baseURL: string;
  readonly close: () => void;
}

/**
 * Speaks OpenAI's wire format on this machine: the same evidence always gets the same answer, and nothing leaves the
 * machine. Notes in its log that it was asked.
 */
export async function startProvider(): Promise<Provider> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { model, messages } = JSON.parse(body) as Asked;
    appendFileSync('services.log', `POST ${request.url} ${model}\n`);
    const content = JSON.stringify(judge(JSON.parse(messages.at(-1)?.content ?? '') as Evidence));
    const completion = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_796_000_000,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 240, completion_tokens: 24, total_tokens: 264 },
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
  readonly messages: readonly { readonly content: string }[];
}

interface Evidence {
  readonly health: readonly { readonly service: string; readonly status: string }[];
  readonly deployments: readonly {
    readonly service: string;
    readonly recent: readonly { readonly version: string }[];
  }[];
}

function judge({ health, deployments }: Evidence): object {
  const isDown = health.some(({ status }) => status === 'down');
  const changed = deployments.find(({ recent }) => recent.length > 0);
  const suspect = changed === undefined ? 'unknown' : `${changed.service} ${changed.recent[0]?.version}`;
  return { severity: isDown ? 'sev1' : 'sev3', escalation_required: isDown, suspect };
}
