import { anthropicAnswers } from './anthropic.js';
import { pathOf, startWireServer, type WireServer } from './server.js';

const PLACE = /\/projects\/[\w-]+\/locations\/[\w-]+\/publishers\/anthropic\/models\/([^/:]+):(raw|streamRaw)Predict$/;

/** Speaks as Anthropic's models do on Vertex: the model stands in the path, and the version in the body. */
export function startVertexServer(): Promise<WireServer> {
  const answer = anthropicAnswers();
  return startWireServer((request, number) => {
    const [, model = ''] = PLACE.exec(pathOf(request)) ?? [];
    const asked = request.body as Readonly<Record<string, unknown>>;
    const isCount = model === 'count-tokens';
    if (model === '' || typeof asked.anthropic_version !== 'string' || 'model' in asked !== isCount) {
      return { status: 400, json: { error: { code: 400, message: `no such request: ${request.path}` } } };
    }
    const path = isCount ? '/v1/messages/count_tokens' : '/v1/messages';
    return answer({ ...request, path, body: { model, ...asked } }, number);
  });
}
