export const STREAM_PATH = '/v1/chat/completions';

/** An answer as the models of OpenAI stream it. */
export const STREAMED: readonly string[] = [
  ...Array.from({ length: 10 }, (_, index) => eventOf({ content: `word ${index} ` }, null)),
  eventOf({}, 'stop'),
  'data: [DONE]\n\n',
];

function eventOf(delta: object, finish_reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'gpt-4o', choices })}\n\n`;
}

const REQUEST = JSON.stringify({
  model: 'gpt-4o',
  stream: true,
  messages: [{ role: 'user', content: 'Which flights to Lisbon arrive before noon?' }],
});

/** Milliseconds from asking until the first piece of the answer is there. The rest is read, too. */
export async function firstChunk(fetching: typeof fetch, origin: string): Promise<number> {
  const start = process.hrtime.bigint();
  const { body } = await fetching(`${origin}${STREAM_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: REQUEST,
  });
  let taken: number | null = null;
  for await (const _chunk of body ?? []) taken ??= Number(process.hrtime.bigint() - start) / 1e6;
  if (taken === null) throw new Error('the answer that was measured had no chunk');
  return taken;
}
