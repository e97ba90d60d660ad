import type { Check } from '@stepfork/exporter-kit/runtime';
import { checkOutput, checkReplayed } from '@stepfork/exporter-kit/runtime';

/** What these matchers need of the context jest calls them in. */
interface MatcherContext {
  readonly expand?: boolean | undefined;
  readonly utils: { readonly diff: (a: unknown, b: unknown, options?: { readonly expand?: boolean }) => string | null };
}

/** The matchers as `expect.extend` takes them, with jest's own diff below the message. */
export const matchers = {
  toHaveReplayed(this: MatcherContext, received: unknown) {
    return result(checkReplayed(received), this);
  },
  toHaveOutput(this: MatcherContext, received: unknown, expected: unknown) {
    return result(checkOutput(received, expected), this);
  },
};

function result({ pass, message, values }: Check, { expand = false, utils }: MatcherContext) {
  const diff = () => (values === undefined ? null : utils.diff(values.expected, values.actual, { expand }));
  return { pass, message: () => [message, diff()].filter((part) => part !== null).join('\n\n') };
}
