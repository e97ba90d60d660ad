import { llmRequest } from '@stepfork/recorder/boundary';
import { fetching } from '@stepfork/recorder/fetch';
import { CHUNK_CODEC } from './chunk-codec.js';
import { inputOf } from './input.js';
import type { Model } from './model.js';
import { fromRecorded, toRecorded } from './result.js';
import { withMarks } from './sdk-error.js';
import { vendorOf } from './vendor.js';

/**
 * Asks a model as one request of the run. What goes on inside, a request by `fetch` or one to another model that this
 * one stands for, is a part of it.
 *
 * @param make really asks
 */
export async function ask(model: Model, method: string, options: unknown, make: () => unknown): Promise<unknown> {
  try {
    const answer = await llmRequest({
      provider: vendorOf(model),
      model: model.modelId,
      input: inputOf(method, options),
      call: async () => toRecorded(await fetching(make)),
      chunkCodec: CHUNK_CODEC as never,
    });
    return fromRecorded(answer);
  } catch (thrown) {
    throw withMarks(thrown);
  }
}
