import { anthropicAnswers, type Block, type Content } from './anthropic.js';
import { awsFrame } from './aws-frames.js';
import { halves, retold, type Said } from './said.js';
import { inOddPieces, pathOf, startWireServer, type WireAnswer, type WireServer } from './server.js';

const PLACE = /\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream)$/;

/**
 * Speaks as AWS Bedrock does: to requests that are signed, of Anthropic's models as they are (`invoke`) and of all in its
 * own words (`converse`), and streams in binary frames. The session's token is the key.
 */
export function startBedrockServer(): Promise<WireServer> {
  const answer = anthropicAnswers();
  return startWireServer((request, number) => {
    const [, model = '', operation = ''] = PLACE.exec(pathOf(request)) ?? [];
    const { authorization = '', 'x-amz-date': date } = request.headers;
    if (model === '') return refusal(404, 'no such operation');
    if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=') || date === undefined) {
      return refusal(403, 'Missing Authentication Token');
    }
    const asked = { model: decodeURIComponent(model), ...(request.body as object) };
    const ask = (body: object): WireAnswer => answer({ ...request, path: '/v1/messages', body }, number);
    if (operation === 'invoke') return retold(ask(asked), (said) => ({ json: said, headers: HEAD }), refusal);
    if (operation === 'invoke-with-response-stream') return inFrames(ask({ ...asked, stream: true }));
    const said = ask(fromConverse(asked as Converse));
    return retold(said, operation === 'converse' ? converse : converseStream, refusal);
  });
}

const HEAD = { 'x-amzn-requestid': 'req_1' };
const STREAMED = { ...HEAD, 'content-type': 'application/vnd.amazon.eventstream' };

function refusal(status: number, message: string): WireAnswer {
  return { status, json: { message } };
}

/** What comes as server-sent events, each in a frame. */
function inFrames(answer: WireAnswer): WireAnswer {
  if (answer.pieces === undefined) return retold(answer, () => answer, refusal);
  const text = Buffer.concat(answer.pieces as Uint8Array[]).toString();
  const frames = [...text.matchAll(/^data: (.*)$/gm)].map(([, event = '']) =>
    awsFrame('chunk', { bytes: Buffer.from(event).toString('base64'), p: 'abcdef' }),
  );
  return { pieces: inOddPieces(Buffer.concat(frames)), headers: STREAMED };
}

interface Converse {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: readonly Part[] }[];
  readonly toolConfig?: { readonly tools?: readonly unknown[] };
}

interface Part {
  readonly text?: string;
  readonly image?: { readonly source: { readonly bytes: string } };
  readonly toolResult?: { readonly content: readonly { readonly text?: string; readonly json?: unknown }[] };
}

function fromConverse({ model, messages, toolConfig }: Converse): object {
  const asked = messages.map(({ role, content }) => ({ role, content: content.map(blockOf) }));
  return { model, messages: asked, ...(toolConfig?.tools === undefined ? {} : { tools: toolConfig.tools }) };
}

function blockOf({ text = '', image, toolResult }: Part): Block {
  if (image !== undefined) return { type: 'image', source: { data: image.source.bytes } };
  if (toolResult === undefined) return { type: 'text', text };
  const parts = toolResult.content.map((part) => part.text ?? JSON.stringify(part.json));
  return { type: 'tool_result', content: parts.join(' ') };
}

const usageOf = ({ usage }: Said) => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  totalTokens: usage.input_tokens + usage.output_tokens,
});
const METRICS = { latencyMs: 5 };

function converse(said: Said): WireAnswer {
  const content = said.content.map((block) =>
    block.type === 'text'
      ? { text: block.text }
      : { toolUse: { toolUseId: block.id, name: block.name, input: block.input } },
  );
  const output = { message: { role: 'assistant', content } };
  return { json: { output, stopReason: said.stop_reason, usage: usageOf(said), metrics: METRICS }, headers: HEAD };
}

function converseStream(said: Said): WireAnswer {
  const frames = [
    awsFrame('messageStart', { role: 'assistant', p: 'abc' }),
    ...said.content.flatMap(blockFrames),
    awsFrame('messageStop', { stopReason: said.stop_reason, p: 'abcd' }),
    awsFrame('metadata', { usage: usageOf(said), metrics: METRICS, p: 'ab' }),
  ];
  return { pieces: inOddPieces(Buffer.concat(frames)), headers: STREAMED };
}

function blockFrames(block: Content, contentBlockIndex: number): readonly Uint8Array[] {
  const isText = block.type === 'text';
  const deltas = halves(isText ? block.text : JSON.stringify(block.input)).map((piece) =>
    awsFrame('contentBlockDelta', {
      contentBlockIndex,
      delta: isText ? { text: piece } : { toolUse: { input: piece } },
      p: 'abcdefgh',
    }),
  );
  const start = isText
    ? []
    : [{ contentBlockIndex, start: { toolUse: { toolUseId: block.id, name: block.name } }, p: 'a' }];
  return [
    ...start.map((event) => awsFrame('contentBlockStart', event)),
    ...deltas,
    awsFrame('contentBlockStop', { contentBlockIndex, p: 'abcde' }),
  ];
}
