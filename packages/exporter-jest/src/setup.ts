import { expect } from '@jest/globals';
import { locateTestFile, prepareReplay, type StepforkMatchers } from '@stepfork/exporter-kit/runtime';
import { matchers } from './matchers.js';

prepareReplay();
locateTestFile(() => expect.getState().testPath);
expect.extend(matchers);

// Exported, since a declaration file without an export would declare the module below instead of extending it.
/** What this setup adds to `expect()`. */
export type { StepforkMatchers };

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
