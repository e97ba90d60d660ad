import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { RELEASE_6 } from '../support/release-6.js';
import { aiSdkUnderTest } from './under-test.js';

describe.each(Object.entries(RELEASE_6))('the adapter with ai %s', (_name, release) => {
  test.each(adapterLaws(aiSdkUnderTest(release)))('$name', ({ check }) => check());
});
