import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { SDKS } from './sdks.js';
import { anthropicUnderTest } from './under-test.js';

/** All that are supported, or the newest. */
const TESTED = Object.entries(SDKS).slice(process.env.STEPFORK_FULL === '1' ? 0 : -1);

describe.each(TESTED)('the adapter with @anthropic-ai/sdk %s', (_version, sdk) => {
  test.each(adapterLaws(anthropicUnderTest(sdk)))('$name', ({ check }) => check(), 120_000);
});
