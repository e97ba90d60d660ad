import type { Check } from '@stepfork/exporter-kit/runtime';
import { checkOutput, checkReplayed } from '@stepfork/exporter-kit/runtime';

/** The matchers as `expect.extend` takes them. vitest prints the diff of `expected` and `actual` below the message. */
export const matchers = {
  toHaveReplayed: (received: unknown) => result(checkReplayed(received)),
  toHaveOutput: (received: unknown, expected: unknown) => result(checkOutput(received, expected)),
};

function result({ pass, message, values }: Check) {
  return { pass, message: () => message, ...values };
}
