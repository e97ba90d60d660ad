import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { AZURE_SDKS, azureUnderTest } from './azure.js';

describe.each(Object.entries(AZURE_SDKS))('the adapter with AzureOpenAI of openai %s', (_version, sdk) => {
  test.each(adapterLaws(azureUnderTest(sdk)))('$name', ({ check }) => check());
});
