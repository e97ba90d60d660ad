import { adapterLaws } from '@stepfork/adapter-conformance';
import { describe, test } from 'vitest';
import { RELEASES } from '../support/releases.js';
import { aiSdkUnderTest } from './under-test.js';

describe.each(Object.entries(RELEASES))('the adapter with ai %s', (_name, release) => {
  test.each(adapterLaws(aiSdkUnderTest(release)))('$name', ({ check }) => check());
});
