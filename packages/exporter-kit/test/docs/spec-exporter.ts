import { EXPORTER_CONTRACT, type Exporter, renderTest } from '@stepfork/exporter-kit';

/** vitest tests named `.spec.ts`. */
const exporter: Exporter = {
  contract: EXPORTER_CONTRACT,
  name: 'spec',
  fileSuffix: ({ typescript }) => (typescript ? '.spec.ts' : '.spec.mjs'),
  render: (regression) => [
    {
      path: regression.fileName,
      text: renderTest(regression, {
        exporter: './spec-exporter.ts',
        packageName: '@stepfork/exporter-vitest',
        framework: 'vitest',
        functions: ['beforeAll', 'describe', 'expect', 'test'],
      }),
    },
  ],
};

export default exporter;
