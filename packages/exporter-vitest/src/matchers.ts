import { createMatchers, passes } from '@stepfork/exporter-kit/runtime';

/** What these matchers need of the context vitest calls them in. */
interface MatcherContext {
  readonly isNot: boolean;
}

/** The matchers as `expect.extend` takes them. vitest prints the diff of `expected` and `actual` below the message. */
export const matchers = createMatchers((check, { isNot }: MatcherContext) => ({
  pass: passes(check, isNot),
  message: () => check.message,
  ...check.values,
}));
