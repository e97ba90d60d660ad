import { openAiAnswers, refusal } from './openai.js';
import { pathOf, startWireServer, type WireServer } from './server.js';

/** Below a deployment, or below a version as that of OpenAI itself. */
const PLACES = /\/openai\/(?:deployments\/[^/]+|v1)\/.+$/;

/** Speaks as OpenAI's models do on Azure: a version in each query, and a key in a header of its own, or a token. */
export function startAzureServer(): Promise<WireServer> {
  const answer = openAiAnswers();
  return startWireServer((request, number) => {
    const { searchParams } = new URL(request.path, 'http://127.0.0.1');
    const isPlace = PLACES.test(pathOf(request)) && searchParams.has('api-version');
    return isPlace ? answer(request, number) : refusal(404, 'Resource not found', '404');
  });
}
