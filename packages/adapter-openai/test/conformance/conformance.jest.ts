import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { ENDS } from './sdks.js';
import { openaiUnderTest } from './under-test.js';

describe.each(Object.entries(ENDS))('the adapter with openai %s', (_version, sdk) => {
  test.each(adapterLaws(openaiUnderTest(sdk)))('$name', ({ check }) => check());
});
