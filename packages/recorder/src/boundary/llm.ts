import { REPLAY_POLICIES, type ReplayPolicy } from '@stepfork/trace-format/write';
import { isName } from './check.js';
import { crossing } from './cross.js';
import { formOf } from './form.js';
import type { ChunkOf, Codec, ErrorClass, LlmUsage, ResponseOf } from './handler.js';
import { signalsIn } from './signals.js';

/** One request to a model, of whatever provider. */
export interface LlmRequest<T> {
  /** For example `openai`. */
  readonly provider?: string | null | undefined;
  /** For example `gpt-4o-mini`. */
  readonly model: string;
  /** What is recorded as the request, and what a replay matches: messages, tools, parameters. */
  readonly input: unknown;
  /** Makes the request. Not called in a frozen replay. */
  readonly call: () => T;
  /** Takes a response that is not plain data to data and back. */
  readonly codec?: Codec<Awaited<T>> | undefined;
  /** Takes the chunks of a stream that are not plain data to data and back. */
  readonly chunkCodec?: Codec<ChunkOf<Awaited<T>>> | undefined;
  /** Classes of errors of your own that the request throws; on replay they are instances of their class again. */
  readonly errors?: readonly ErrorClass[] | undefined;
  /**
   * Reads tokens and cost from the response, where they do not lie in one of the usual places. Of a stream it is
   * given the list of its chunks.
   */
  readonly usage?: ((response: ResponseOf<Awaited<T>>) => LlmUsage) | undefined;
  /** By which `call` may be given up: a replay whose agent does not do so where the recorded one did has no answer. */
  readonly signal?: AbortSignal | undefined;
  /** Stored with the request; `frozen` unless said otherwise. */
  readonly replayPolicy?: ReplayPolicy | undefined;
}

/**
 * The boundary around a request to a model: recorded while a run records, answered from the recording while one
 * replays, and otherwise just `call()`. Returns what `call` returns: a promise stays a promise, a value a value.
 */
export function llmRequest<T>(request: LlmRequest<T>): T {
  const call = crossing(
    {
      kind: 'llm',
      // An odd name or policy must not stop a request that works without Stepfork.
      name: isName(request.model) ? request.model : 'unknown',
      provider: isName(request.provider) ? request.provider : null,
      replayPolicy: isPolicy(request.replayPolicy) ? request.replayPolicy : 'frozen',
      answers: formOf(request.call),
      codec: (request.codec as Codec | undefined) ?? null,
      chunkCodec: (request.chunkCodec as Codec | undefined) ?? null,
      errors: request.errors ?? [],
      usage: request.usage as ((response: unknown) => LlmUsage) | undefined,
    },
    {
      input: () => request.input,
      signals: () => signalsIn([request]),
      invoke: () => request.call(),
    },
  );
  return call === null ? request.call() : (call() as T);
}

function isPolicy(policy: unknown): policy is ReplayPolicy {
  return REPLAY_POLICIES.some((one) => one === policy);
}
