import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { SDKS } from './sdks.js';
import { openaiUnderTest } from './under-test.js';

describe.each(Object.entries(SDKS))('the adapter with openai %s', (_version, sdk) => {
  test.each(adapterLaws(openaiUnderTest(sdk)))('$name', ({ check }) => check(), 120_000);
});
