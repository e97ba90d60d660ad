import { recordClient } from '@stepfork/recorder/fetch';
import { askForKeyLate } from './late-key.js';
import { signLate } from './late-signature.js';
import { throwRefusals } from './refusals.js';
import { traceToolRunners } from './tool-runners.js';

const PROVIDER = 'anthropic';

/**
 * Has all that a client of Anthropic's SDK asks its models recorded while a run records, and answered from the
 * recording while one replays; and the tools of its tool runners traced. The client is changed in place and given back:
 * the same object, of the same type. Copies by `withOptions()` are instrumented, too.
 *
 * @throws StepforkError `invalid_argument` for what is no such client
 */
export function instrument<C extends object>(client: C): C {
  return recordClient(client, {
    sdk: '@anthropic-ai/sdk',
    provider: PROVIDER,
    has: ['baseURL', 'messages'],
    also(each) {
      askForKeyLate(each, PROVIDER);
      signLate(each, PROVIDER);
      throwRefusals(each);
      traceToolRunners(each);
    },
  });
}
