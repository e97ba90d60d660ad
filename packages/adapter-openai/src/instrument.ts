import { recordClient } from '@stepfork/recorder/fetch';
import { askForKeyLate } from './late-key.js';
import { traceRunTools } from './run-tools.js';

const PROVIDER = 'openai';

/**
 * Has all that a client of the openai package asks its models recorded while a run records, and answered from the
 * recording while one replays; and the functions that `runTools` is given traced as tools. The client is changed in
 * place and given back: the same object, of the same type. Copies by `withOptions()` are instrumented, too.
 *
 * @throws StepforkError `invalid_argument` for what is no such client
 */
export function instrument<C extends object>(client: C): C {
  return recordClient(client, {
    sdk: 'openai',
    provider: PROVIDER,
    has: ['baseURL', 'chat'],
    also(each) {
      askForKeyLate(each, PROVIDER);
      traceRunTools(each);
    },
  });
}
