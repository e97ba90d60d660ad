import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { AZURE_SDKS, azureUnderTest } from './azure.js';

/** All that are supported, or the newest. */
const TESTED = Object.entries(AZURE_SDKS).slice(process.env.STEPFORK_FULL === '1' ? 0 : -1);

describe.each(TESTED)('the adapter with AzureOpenAI of openai %s', (_version, sdk) => {
  test.each(adapterLaws(azureUnderTest(sdk)))('$name', ({ check }) => check(), 120_000);
});
