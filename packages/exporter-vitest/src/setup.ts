import { locateTestFile, prepareReplay, type StepforkMatchers } from '@stepfork/exporter-kit/runtime';
import { expect } from 'vitest';
import { matchers } from './matchers.js';

prepareReplay();
locateTestFile(() => expect.getState().testPath);
expect.extend(matchers);

// Exported, since a declaration file without an export is no module, and could declare nothing global.
/** What this setup adds to `expect()`. */
export type { StepforkMatchers };

declare global {
  namespace Chai {
    // All releases of vitest make their own `Assertion` of this one, whose type parameters have stayed the same.
    interface Assertion extends StepforkMatchers<void> {}
  }
}
