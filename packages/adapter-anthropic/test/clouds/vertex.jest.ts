import { describe, test } from '@jest/globals';
import { adapterLaws } from '@stepfork/adapter-conformance';
import { vertexUnderTest } from './vertex.js';

describe('the adapter with @anthropic-ai/vertex-sdk', () => {
  test.each(adapterLaws(vertexUnderTest))('$name', ({ check }) => check());
});
