export type { ReplayCaseOptions, ReplayReport } from '@stepfork/exporter-kit/runtime';
export { expectation, replayCase } from '@stepfork/exporter-kit/runtime';
export { exporter, exporter as default } from './exporter.js';
