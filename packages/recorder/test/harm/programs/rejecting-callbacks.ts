import { llmRequest, type RecordingOptions, record, traceTool } from '@stepfork/recorder';

// Every callback that the recorder calls is an async function, which fails.
const boom = async (): Promise<never> => {
  throw new Error('a callback rejected');
};
const codec = { encode: boom, decode: (data: unknown) => data } as never;
const options: RecordingOptions = {
  output: process.argv[2],
  keep: boom as unknown as () => boolean,
  sample: boom as unknown as () => boolean,
  onError: boom as unknown as () => void,
  limits: { events: 8 },
};
const tool = traceTool({ name: 'tool', input: boom, codec }, async (n: number) => n);
const stream = traceTool({ name: 'stream', chunkCodec: codec }, async function* () {
  yield 1;
});

await record('agent', options, async () => {
  await tool(1);
  for await (const _chunk of stream());
  await llmRequest({ model: 'm', input: 1, call: async () => 'x', usage: boom as never });
  for (let n = 0; n < 5; n++) await tool(n);
});
await new Promise((resolve) => setTimeout(resolve, 20));
process.stdout.write('alive\n');
