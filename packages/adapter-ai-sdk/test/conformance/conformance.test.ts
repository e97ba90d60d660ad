import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { RELEASES } from '../support/releases.js';
import { aiSdkUnderTest } from './under-test.js';

/** All that are supported, or the newest. */
const TESTED = Object.entries(RELEASES).slice(process.env.STEPFORK_FULL === '1' ? 0 : -1);

describe.each(TESTED)('the adapter with ai %s', (_name, release) => {
  test.each(adapterLaws(aiSdkUnderTest(release)))('$name', ({ check }) => check());
});
