import { llmRequest, record, startRecording, traceAgent, traceTool } from '@stepfork/recorder';

const [, , output] = process.argv;
const tool = async (): Promise<number> => 1;
const agent = async (): Promise<number> => 2;
const kept = traceTool('tool', tool) === tool && traceAgent('agent', agent) === agent;
const signals = process.listenerCount('SIGTERM');
const listening: boolean[] = [];
const recorded = await record('agent', { output, handleSignals: true }, async (session) => {
  session.setOutput(session.runId);
  session.stateChange('k', 1, 2);
  session.error('odd');
  session.llmCall({ model: 'm', input: 1 }).respond(2);
  listening.push(process.listenerCount('SIGTERM') > signals);
  return llmRequest({ model: 'm', input: 1, call: () => 3 });
});
const started = await (async () => {
  await using session = startRecording('agent', { output });
  session.setOutput(await tool());
  return session.runId.slice(0, 4);
})();
process.stdout.write(JSON.stringify({ kept, recorded, started, listening }));
