import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { SDKS } from './sdks.js';
import { anthropicUnderTest } from './under-test.js';

describe.each(Object.entries(SDKS))('the adapter with @anthropic-ai/sdk %s', (_version, sdk) => {
  test.each(adapterLaws(anthropicUnderTest(sdk)))('$name', ({ check }) => check());
});
