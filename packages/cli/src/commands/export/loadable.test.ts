import { expect, it } from 'vitest';
import { whyUnloadable } from './loadable.js';

it.each([
  ['vitest', 'src/agent.ts'],
  ['vitest', 'src/agent.cjs'],
  ['jest', 'src/agent.cts'],
])('has nothing to say of %s and %s', (runner, file) => expect(whyUnloadable(runner, file)).toBeNull());

it('says that vitest does not load a .cts file, and what to do', () => {
  expect(whyUnloadable('vitest', 'src/agent.cts')).toMatch(/cannot load agent\.cts\. Export the agent from a \.ts/);
});
