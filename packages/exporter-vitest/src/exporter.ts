import type { Exporter } from '@stepfork/exporter-kit';
import { EXPORTER_CONTRACT, renderFiles } from '@stepfork/exporter-kit';

/** Writes vitest tests: `.test.ts`, or `.test.mjs` in a JavaScript project. */
export const exporter: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'vitest',
  fileSuffix: ({ typescript }) => (typescript ? '.test.ts' : '.test.mjs'),
  render: (regression) =>
    renderFiles(regression, {
      exporter: 'vitest',
      packageName: '@stepfork/exporter-vitest',
      framework: 'vitest',
      functions: ['beforeAll', 'describe', 'expect', 'test'],
    }),
};
