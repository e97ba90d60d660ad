import { adapterLaws } from '@stepfork/adapter-conformance';
import { runInJest } from '@stepfork/adapter-conformance/jest';
import { expect, test } from 'vitest';
import { CLOUDS_6 } from '../clouds/clouds-6.js';
import { aiSdkUnderTest } from '../conformance/under-test.js';
import { RELEASE_6 } from '../support/release-6.js';

test('the laws hold in jest, too', async () => {
  const tests = await runInJest('adapter-ai-sdk');
  expect(tests.filter(({ passed }) => !passed)).toEqual([]);
  const laws = Object.entries(RELEASE_6).flatMap(([version, release]) =>
    adapterLaws(aiSdkUnderTest(release)).map(({ name }) => `the adapter with ai ${version} ${name}`),
  );
  const inClouds = Object.entries(CLOUDS_6).flatMap(([cloud, under]) =>
    adapterLaws(under).map(({ name }) => `the adapter with ${cloud} ${name}`),
  );
  expect(tests.map(({ name }) => name).sort()).toEqual([...laws, ...inClouds].sort());
}, 180_000);
