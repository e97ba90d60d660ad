import { encodeValue } from '@stepfork/trace-format/write';
import { isName } from '../boundary/check.js';
import type { BoundaryCall, LlmUsage } from '../boundary/handler.js';
import { describeThrown } from '../boundary/thrown.js';
import { elapsedMs } from '../clock.js';
import type { LlmCall, LlmCallRequest } from '../llm-call.js';
import { answerEvent, callEvent, readUsage } from './call-events.js';
import { recordError } from './error-event.js';
import type { EventLog, Written } from './event-log.js';
import { usageOf } from './usage.js';

/**
 * Records a request that the agent tells of by hand, and what comes of it. Its policy is `manual`, and it is marked in
 * the runtime file: no boundary will reach it in a replay.
 *
 * @param write runs what writes to the log of the run, as long as there is one
 */
export function beginManualCall(
  { provider, model, input }: LlmCallRequest,
  parent: string | null,
  write: <T>(writing: (log: EventLog) => T) => T | null,
): LlmCall {
  const call: BoundaryCall = {
    kind: 'llm',
    name: model,
    provider: isName(provider) ? provider : null,
    replayPolicy: 'manual',
    input,
    answers: 'unknown',
    codec: null,
    chunkCodec: null,
    errors: [],
    invoke: () => undefined,
  };
  const made = write((log) => (log.admits() ? record(log, call, parent) : null));
  return {
    respond: (response, usage) => made !== null && write((log) => respond(log, call, made, response, usage)),
    fail: (thrown) => made !== null && write((log) => recordError(log, call, made.id, describeThrown(thrown), thrown)),
  };
}

function record(log: EventLog, call: BoundaryCall, parent: string | null): Written {
  const made = log.record(call, parent, (base, keep) => callEvent(call, base, keep('input', encodeValue(call.input))));
  log.note({ type: 'manual', call_id: made.id });
  return made;
}

function respond(log: EventLog, call: BoundaryCall, made: Written, response: unknown, usage?: LlmUsage): void {
  log.record(call, made.id, (base, keep) =>
    answerEvent(
      call,
      base,
      elapsedMs(made.atMs),
      keep('output', encodeValue(response)),
      () => usage ?? readUsage(call, response, usageOf),
    ),
  );
}
