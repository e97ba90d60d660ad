import { describe, expect, it } from 'vitest';
import { whyIgnored } from './runner-pattern.js';

describe('whyIgnored', () => {
  it.each([
    ['vitest', 'a.test.ts'],
    ['vitest', 'test/a.spec.mjs'],
    ['jest', 'a.test.cjs'],
    ['jest', '__tests__/a.js'],
    ['jest', 'test.js'],
    ['mocha', 'whatever.js'],
    ['constructor', 'whatever.js'],
  ])('has nothing to say of %s and %s', (runner, file) => expect(whyIgnored(runner, file)).toBeNull());

  it.each([
    ['vitest', '__tests__/a.js', 'a.test.js'],
    ['vitest', 'regression.ts', 'regression.test.ts'],
    ['vitest', 'a.test.txt', 'a.test.ts'],
    ['jest', 'tests/agent.mjs', 'agent.test.mjs'],
    ['jest', 'attest.js', 'attest.test.js'],
  ])('says that %s does not find %s, and what name it finds', (runner, file, better) =>
    expect(whyIgnored(runner, file)).toContain(`Name it ${better} with --output.`),
  );

  it('says that nothing is run in a folder of packages', () => {
    expect(whyIgnored('jest', 'node_modules/a.test.js')).toContain('runs nothing in a folder node_modules');
  });
});
