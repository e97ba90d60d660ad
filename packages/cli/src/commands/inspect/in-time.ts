import { createContext, runInContext } from 'node:vm';
import { StepforkError } from '@stepfork/trace-format';

/** What an honest pattern takes for so many events is a small part of this. */
const LIMIT_MS = 3000;
const AT_ONCE = 64;

/**
 * The items that a pattern of somebody's is found in. A pattern may take for ever on a text that it does not match
 * (`(a+)+$`), so that each lot of items has its time.
 *
 * @throws StepforkError `usage`
 */
export function foundInTime<T>(items: readonly T[], pattern: RegExp, isFound: (item: T) => boolean): readonly T[] {
  const context = createContext({});
  const found: T[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    context.work = (): void => {
      for (const item of items.slice(at, at + AT_ONCE)) if (isFound(item)) found.push(item);
    };
    try {
      // Nothing of what is looked at becomes code: the engine's own clock is all that is wanted of it.
      runInContext('work()', context, { timeout: LIMIT_MS });
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw tooSlow(pattern, error);
    }
  }
  return found;
}

function tooSlow({ source }: RegExp, cause: unknown): StepforkError {
  return new StepforkError(
    'usage',
    `'--grep' found no end of searching for '${source}': it tries ever more ways to match one text. Give a pattern without a repetition within a repetition.`,
    { cause },
  );
}
