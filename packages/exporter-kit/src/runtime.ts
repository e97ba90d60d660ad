export type { Entrypoint, ReplayReport } from '@stepfork/replay';
export type { Check } from './runtime/check.js';
export { checkOutput } from './runtime/check-output.js';
export { checkReplayed } from './runtime/check-replayed.js';
export { prepareReplay } from './runtime/prepare.js';
export type { ReplayCaseOptions } from './runtime/replay-case.js';
export { replayCase } from './runtime/replay-case.js';
export { locateTestFile } from './runtime/test-file.js';
