import { createMatchers, passes } from '@stepfork/exporter-kit/runtime';

/** What these matchers need of the context jest calls them in. */
interface MatcherContext {
  readonly isNot?: boolean | undefined;
  readonly expand?: boolean | undefined;
  readonly utils: { readonly diff: (a: unknown, b: unknown, options?: { readonly expand?: boolean }) => string | null };
}

/** The matchers as `expect.extend` takes them, with jest's own diff below the message. */
export const matchers = createMatchers((check, { isNot = false, expand = false, utils }: MatcherContext) => {
  const { message, values } = check;
  const diff = () => (values === undefined ? null : utils.diff(values.expected, values.actual, { expand }));
  return {
    pass: passes(check, isNot),
    message: () => [message, diff()].filter((part) => part !== null).join('\n\n'),
  };
});
