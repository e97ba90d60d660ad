import { recordClient } from '@stepfork/recorder/fetch';
import { traceRunTools } from './run-tools.js';

/** Shared by all copies of this package. */
const MARK = Symbol.for('stepfork.openai/1');

/**
 * Has all that a client of the openai package asks its models recorded while a run records, and answered from the
 * recording while one replays; and the functions that `runTools` is given traced as tools. The client is changed in
 * place and given back: the same object, of the same type. Copies by `withOptions()` are instrumented, too.
 *
 * @throws StepforkError `invalid_argument` for what is no such client
 */
export function instrument<C extends object>(client: C): C {
  if (Object.hasOwn(client, MARK)) return client;
  recordClient(client, { sdk: 'openai', provider: 'openai', has: ['baseURL', 'chat', 'withOptions'] });
  traceRunTools(client as unknown as Parameters<typeof traceRunTools>[0]);
  instrumentCopies(client as unknown as Copied);
  Object.defineProperty(client, MARK, { value: true });
  return client;
}

interface Copied {
  withOptions: (...args: never[]) => object;
}

function instrumentCopies(client: Copied): void {
  const { withOptions } = client;
  const value = (...args: never[]): object => instrument(Reflect.apply(withOptions, client, args) as object);
  Object.defineProperty(client, 'withOptions', { value, writable: true, configurable: true });
}
