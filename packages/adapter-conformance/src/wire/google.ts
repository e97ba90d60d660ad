import { anthropicAnswers, type Block, type Content } from './anthropic.js';
import { halves, retold, type Said } from './said.js';
import { inOddPieces, pathOf, sse, startWireServer, type WireAnswer, type WireServer } from './server.js';

const PLACE = /\/models\/([^/:]+):(generateContent|streamGenerateContent|embedContent)$/;

/** Speaks as Google's Gemini API does. */
export function startGoogleServer(): Promise<WireServer> {
  const answer = anthropicAnswers();
  return startWireServer((request, number) => {
    const [, model = '', operation = ''] = PLACE.exec(pathOf(request)) ?? [];
    if (model === '') return refusal(404, 'no such method');
    const body = fromContents(model, request.body as Asked);
    const said = answer({ ...request, path: '/v1/messages', body }, number);
    const tell = operation === 'generateContent' ? generate : operation === 'embedContent' ? embed : stream;
    return retold(said, (message) => tell(message, model), refusal);
  });
}

function refusal(code: number, message: string): WireAnswer {
  return { status: code, json: { error: { code, message, status: 'FAILED' } } };
}

interface Asked {
  readonly contents?: readonly { readonly role: string; readonly parts: readonly Part[] }[];
  readonly tools?: readonly unknown[];
}

interface Part {
  readonly text?: string;
  readonly inlineData?: { readonly data: string };
  readonly functionResponse?: { readonly response: unknown };
}

function fromContents(model: string, { contents = [], tools }: Asked): object {
  const messages = contents.map(({ role, parts }) => ({ role, content: parts.map(blockOf) }));
  return { model, messages, ...(tools === undefined ? {} : { tools }) };
}

function blockOf({ text = '', inlineData, functionResponse }: Part): Block {
  if (inlineData !== undefined) return { type: 'image', source: { data: inlineData.data } };
  if (functionResponse === undefined) return { type: 'text', text };
  return { type: 'tool_result', content: JSON.stringify(functionResponse.response) };
}

const partOf = (block: Content): object =>
  block.type === 'text' ? { text: block.text } : { functionCall: { name: block.name, args: block.input } };

function documentOf({ usage }: Said, model: string, parts: readonly object[], finishReason?: string): object {
  const promptTokenCount = usage.input_tokens;
  const candidatesTokenCount = usage.output_tokens;
  const totalTokenCount = promptTokenCount + candidatesTokenCount;
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata: { promptTokenCount, candidatesTokenCount, totalTokenCount },
    modelVersion: model,
    responseId: 'resp_1',
  };
}

const generate = (said: Said, model: string): WireAnswer => ({
  json: documentOf(said, model, said.content.map(partOf), 'STOP'),
});

const embed = (): WireAnswer => ({ json: { embedding: { values: [0.5, -0.25] } } });

function stream(said: Said, model: string): WireAnswer {
  const pieces = said.content.flatMap((block): readonly object[] =>
    block.type === 'text' ? halves(block.text).map((text) => ({ text })) : [partOf(block)],
  );
  const documents = pieces.map((part, index) =>
    documentOf(said, model, [part], index === pieces.length - 1 ? 'STOP' : undefined),
  );
  return { pieces: inOddPieces(sse(...documents).join('')) };
}
