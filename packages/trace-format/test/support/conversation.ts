import {
  addEvent,
  createTrace,
  type Json,
  type JsonObject,
  llmRequestEvent,
  llmResponseEvent,
  openBundle,
  runEndEvent,
  runStartEvent,
  type Trace,
  toolCallEvent,
  toolResultEvent,
  toTraceValue,
} from '../../src/write.js';
import { someBytes } from './blobs-and-streams.js';
import { HEADER, sealed, sealedManifest } from './sealed.js';

const TIMESTAMP = '2026-10-08T10:00:00Z';

/** What every request of the conversation has besides its messages. */
export const TOOLS: readonly Json[] = [
  { type: 'function', function: { name: 'look_up', description: 'Finds an order. '.repeat(80) } },
];

/** A trace of requests with these inputs, each answered; ids and times are fixed. */
export function conversation(inputs: readonly Json[]): Trace {
  const trace = createTrace({
    agentName: 'conversation',
    runId: 'run_00000000000000000000000000000003',
    createdAt: TIMESTAMP,
  });
  const add = (event: Parameters<typeof addEvent>[1]): void => void addEvent(trace, event);
  const fixed = { timestamp: TIMESTAMP, model: 'm' };
  add(runStartEvent({ id: 'evt_start', timestamp: TIMESTAMP, input: null }));
  for (const [turn, input] of inputs.entries()) {
    const id = `evt_${turn}`;
    add(llmRequestEvent({ ...fixed, id, parent_id: 'evt_start', provider: 'openai', input }));
    add(llmResponseEvent({ ...fixed, id: `${id}_answer`, parent_id: id, output: { turn } }));
  }
  add(runEndEvent({ id: 'evt_end', timestamp: TIMESTAMP, run_status: 'completed', output: null }));
  return trace;
}

/** The requests of a conversation of so many turns: each repeats all that was said before. */
export function turns(count: number, first: readonly Json[] = []): JsonObject[] {
  const said: Json[] = [...first];
  return Array.from({ length: count }, (_, turn) => {
    said.push({ role: 'user', content: `${turn}: ${'What now? '.repeat(40)}` });
    return { messages: [...said], model: 'm', tools: [...TOOLS] };
  });
}

/**
 * Two conversations that take turns, one with an image; one request sent twice, one whose history was cut; and a tool
 * that is given what was said.
 */
export function writeConversation(path: string): string {
  const image = { role: 'user', content: [{ type: 'image', data: toTraceValue(someBytes(20_000)) }] };
  const [one, other] = [turns(6), turns(4, [image])];
  const again = one[3] as JsonObject;
  const cut = { ...again, messages: (again.messages as readonly Json[]).slice(0, 2) };
  const inputs = one.flatMap((input, turn) => [input, ...other.slice(turn, turn + 1)]);
  const trace = conversation([...inputs, again, cut]);
  const calls: Trace = { ...trace, events: [...trace.events] };
  const end = (calls.events as Trace['events'][number][]).pop();
  for (const [turn, input] of one.entries()) {
    const call = { id: `tool_${turn}`, parent_id: 'evt_start', name: 'summarize', timestamp: TIMESTAMP };
    addEvent(calls, toolCallEvent({ ...call, input: { body: input, kind: 'chat' } }));
    addEvent(calls, toolResultEvent({ ...call, id: `${call.id}_answer`, parent_id: call.id, output: turn }));
  }
  addEvent(calls, { ...end, step: 0 } as Trace['events'][number]);
  const writer = openBundle({ path, manifest: sealedManifest(calls), runtime: HEADER });
  for (const event of calls.events) writer.append(sealed(event));
  return writer.finish(sealedManifest(calls));
}
