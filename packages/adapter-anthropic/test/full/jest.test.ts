import { adapterLaws } from '@stepfork/adapter-conformance';
import { runInJest } from '@stepfork/adapter-conformance/jest';
import { expect, test } from 'vitest';
import { vertexUnderTest } from '../clouds/vertex.js';
import { SDKS } from '../conformance/sdks.js';
import { anthropicUnderTest } from '../conformance/under-test.js';

test('the laws hold in jest, too', async () => {
  const tests = await runInJest('adapter-anthropic');
  expect(tests.filter(({ passed }) => !passed)).toEqual([]);
  const laws = Object.entries(SDKS).flatMap(([version, sdk]) =>
    adapterLaws(anthropicUnderTest(sdk)).map(({ name }) => `the adapter with @anthropic-ai/sdk ${version} ${name}`),
  );
  const onVertex = adapterLaws(vertexUnderTest).map(({ name }) => `the adapter with @anthropic-ai/vertex-sdk ${name}`);
  expect(tests.map(({ name }) => name).sort()).toEqual([...laws, ...onVertex].sort());
}, 600_000);
