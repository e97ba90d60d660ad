import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { CLOUDS_6 } from './clouds-6.js';

describe.each(Object.entries(CLOUDS_6))('the adapter with %s', (_name, cloud) => {
  test.each(adapterLaws(cloud))('$name', ({ check }) => check());
});
