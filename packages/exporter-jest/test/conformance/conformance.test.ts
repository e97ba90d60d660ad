import { exporter } from '@stepfork/exporter-jest';
import { conformance } from '@stepfork/exporter-kit/conformance';
import { afterAll, describe, test } from 'vitest';
import { parse, worldOf } from '../../../exporter-kit/test/consumer/conformance-world.js';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';

const SWC = `export default {
  transform: { '\\\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
};
`;

const targets = [
  {
    name: 'in TypeScript that @swc/jest turns into CommonJS',
    target: { module: 'cjs', typescript: true, globals: false },
    config: { 'jest.config.mjs': SWC },
    nodeArgs: [],
  },
  {
    name: 'in ES modules',
    target: { module: 'esm', typescript: false, globals: false },
    config: { 'jest.config.json': '{"transform":{}}' },
    nodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  },
  {
    name: 'in CommonJS',
    target: { module: 'cjs', typescript: false, globals: false },
    config: {},
    nodeArgs: [],
  },
] as const;
// CommonJS is what the consumers end to end run.
const tried = targets.slice(0, process.env.STEPFORK_FULL === '1' ? undefined : 1);

describe.each(tried)('a jest test $name', ({ target, config, nodeArgs }) => {
  let project: ConsumerProject | undefined;
  const checks = conformance(exporter, {
    target,
    parse,
    prepare: async () => {
      const made = await createProject({ 'package.json': '{ "type": "module" }', ...config });
      project = made;
      return worldOf(made, () => made.jest(nodeArgs));
    },
  });
  afterAll(() => project?.remove());

  test.each(checks)('$name', ({ check }) => check(), 120_000);
});
