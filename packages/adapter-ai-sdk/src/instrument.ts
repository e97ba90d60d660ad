import { StepforkError } from '@stepfork/trace-format/write';
import { isModel, recordModel } from './model.js';
import { isProvider, recordProvider } from './provider.js';
import { isToolSet, traceToolSet } from './tool-set.js';

/**
 * Has what an agent asks of models by the AI SDK recorded while a run records, and answered from the recording while
 * one replays. Takes
 *
 * - a provider (`createOpenAI()`): gives one of the same type, all of whose models are instrumented;
 * - a model, of whatever kind: changes it in place and gives it back;
 * - a `tools` object: gives one of the same type, whose `execute` functions are traced under their names.
 *
 * What is instrumented already is given back as it is.
 *
 * @throws StepforkError `invalid_argument` for anything else
 */
export function instrument<T extends object>(target: T): T {
  if (isModel(target)) return recordModel(target);
  if (isProvider(target)) return recordProvider(target);
  if (isToolSet(target)) return traceToolSet(target);
  throw new StepforkError(
    'invalid_argument',
    "the ai-sdk adapter needs a provider, a model or an object of tools; give it what 'ai' of release 6 or later takes",
  );
}
