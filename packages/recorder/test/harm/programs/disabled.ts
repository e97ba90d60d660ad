import { llmRequest, record, traceAgent, traceTool } from '@stepfork/recorder';

const tool = async (): Promise<number> => 1;
const agent = async (): Promise<number> => 2;
const kept = traceTool('tool', tool) === tool && traceAgent('agent', agent) === agent;
const output = await record('agent', { output: process.argv[2] }, async (session) => {
  session.setOutput(session.runId);
  return llmRequest({ model: 'm', input: 1, call: () => 3 });
});
process.stdout.write(JSON.stringify({ kept, output }));
