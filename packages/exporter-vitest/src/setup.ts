import { locateTestFile, prepareReplay, type StepforkMatchers } from '@stepfork/exporter-kit/runtime';
import { type ExpectStatic, expect } from 'vitest';
import { matchers } from './matchers.js';

prepareReplay();
locateTestFile(() => expect.getState().testPath);
expect.extend(matchers);

// Exported, since a declaration file without an export would declare the module below instead of extending it.
/** What this setup adds to `expect()`. */
export type { StepforkMatchers };

/**
 * `expect` with these matchers, for whoever hands it around. That it names a type of vitest's makes the built
 * declarations import vitest, without which TypeScript does not merge the module below into it.
 */
export type StepforkExpect = ExpectStatic;

declare module 'vitest' {
  interface Assertion<T> extends StepforkMatchers<void> {}
}
