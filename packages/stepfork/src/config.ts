export type { JsonValue, PlacesByCall, RedactionRules, StepforkConfig } from '@stepfork/cli/config';
export { defineConfig } from '@stepfork/cli/config';
