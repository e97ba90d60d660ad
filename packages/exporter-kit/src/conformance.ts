export type {
  ConformanceCheck,
  ConformanceOptions,
  ConformanceWorld,
  TestOutcome,
} from './conformance/contract.js';
export { conformance } from './conformance/suite.js';
