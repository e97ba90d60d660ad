import { conformance } from '@stepfork/exporter-kit/conformance';
import { exporter } from '@stepfork/exporter-vitest';
import { afterAll, describe, test } from 'vitest';
import { parse, worldOf } from '../../../exporter-kit/test/consumer/conformance-world.js';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';

const targets = [
  ['in TypeScript', { module: 'esm', typescript: true, globals: false }],
  ['in JavaScript', { module: 'esm', typescript: false, globals: false }],
] as const;

describe.each(targets.slice(0, process.env.STEPFORK_FULL === '1' ? undefined : 1))('a vitest test %s', (_, target) => {
  let project: ConsumerProject | undefined;
  const checks = conformance(exporter, {
    target,
    parse,
    prepare: async () => {
      const made = await createProject({ 'package.json': '{ "type": "module" }' });
      project = made;
      return worldOf(made, () => made.vitest('--reporter=default'));
    },
  });
  afterAll(() => project?.remove());

  test.each(checks)('$name', ({ check }) => check(), 120_000);
});
