import { expect } from '@jest/globals';
import { locateTestFile, prepareReplay } from '@stepfork/exporter-kit/runtime';
import { matchers } from './matchers.js';

prepareReplay();
locateTestFile(() => expect.getState().testPath);
expect.extend(matchers);

// Exported, since a declaration file without an export would declare the module below instead of extending it.
/** What this setup adds to `expect()`. */
export interface StepforkMatchers<R> {
  /** The agent made the recorded calls, all of them and no others. */
  toHaveReplayed(): R;
  /** The run came to exactly this output, both sides redacted alike. */
  toHaveOutput(expected: unknown): R;
}

declare module '@jest/expect' {
  // `expect` of @jest/globals.
  interface Matchers<R> extends StepforkMatchers<R> {}
}

declare global {
  namespace jest {
    // The global `expect` of @types/jest.
    interface Matchers<R, T> extends StepforkMatchers<R> {}
  }
}
