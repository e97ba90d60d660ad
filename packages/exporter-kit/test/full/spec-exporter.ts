import { EXPORTER_CONTRACT, type Exporter, renderFiles } from '@stepfork/exporter-kit';

/** vitest tests named `.spec.ts`. */
const exporter: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'spec',
  fileSuffix: ({ typescript }) => (typescript ? '.spec.ts' : '.spec.mjs'),
  render: (regression) =>
    renderFiles(regression, {
      exporter: './spec-exporter.ts',
      packageName: '@stepfork/exporter-vitest',
      framework: 'vitest',
      functions: ['beforeAll', 'describe', 'expect', 'test'],
    }),
};

export default exporter;
