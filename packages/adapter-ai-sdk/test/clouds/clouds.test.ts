import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { CLOUDS_UNDER_TEST } from './clouds.js';

// Models that it does not know have it warn of what it assumes.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** All, or one of each wire format. */
const TESTED = Object.entries(CLOUDS_UNDER_TEST).filter(
  ([name]) => process.env.STEPFORK_FULL === '1' || /bedrock 4|azure|google 4|compatible 3/.test(name),
);

describe.each(TESTED)('the adapter with %s', (_name, cloud) => {
  test.each(adapterLaws(cloud))('$name', ({ check }) => check(), 120_000);
});
