import type { Exporter } from '@stepfork/exporter-kit';
import { EXPORTER_CONTRACT, renderFiles } from '@stepfork/exporter-kit';

/**
 * Writes jest tests: `.test.ts` where the project transforms TypeScript, else `.test.mjs` (jest then has to run with
 * `node --experimental-vm-modules`) or `.test.cjs`.
 */
export const exporter: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'jest',
  fileSuffix: ({ module, typescript }) => {
    if (typescript) return '.test.ts';
    return module === 'esm' ? '.test.mjs' : '.test.cjs';
  },
  render: (regression) =>
    renderFiles(regression, {
      exporter: 'jest',
      packageName: '@stepfork/exporter-jest',
      framework: '@jest/globals',
      functions: ['beforeAll', 'describe', 'expect', 'test'],
    }),
};
