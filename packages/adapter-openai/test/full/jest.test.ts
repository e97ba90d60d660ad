import { adapterLaws } from '@stepfork/adapter-conformance';
import { runInJest } from '@stepfork/adapter-conformance/jest';
import { expect, test } from 'vitest';
import { AZURE_SDKS, azureUnderTest } from '../clouds/azure.js';
import { ENDS } from '../conformance/sdks.js';
import { openaiUnderTest } from '../conformance/under-test.js';

test('the laws hold in jest, too', async () => {
  const tests = await runInJest('adapter-openai');
  expect(tests.filter(({ passed }) => !passed)).toEqual([]);
  const laws = Object.entries(ENDS).flatMap(([version, sdk]) =>
    adapterLaws(openaiUnderTest(sdk)).map(({ name }) => `the adapter with openai ${version} ${name}`),
  );
  const onAzure = Object.entries(AZURE_SDKS).flatMap(([version, sdk]) =>
    adapterLaws(azureUnderTest(sdk)).map(({ name }) => `the adapter with AzureOpenAI of openai ${version} ${name}`),
  );
  expect(tests.map(({ name }) => name).sort()).toEqual([...laws, ...onAzure].sort());
}, 600_000);
