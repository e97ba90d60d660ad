import { join } from 'node:path';
import { exporter as jestExporter } from '@stepfork/exporter-jest';
import type { Exporter } from '@stepfork/exporter-kit';
import { buildCase, detectTarget, renderCase, resolveAlias } from '@stepfork/exporter-kit';
import { exporter as vitestExporter } from '@stepfork/exporter-vitest';
import { loadTrace } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsumerProject, createProject } from '../consumer/consumer-project.js';
import { EXPECTED, recordFailure } from '../consumer/notify-agent.js';
import { strictDiagnostics } from '../consumer/strict-types.js';

interface Form {
  readonly name: string;
  readonly file: string;
  readonly exportName: string;
  readonly alias?: string;
  /** Vite turns no `.cts` file into JavaScript. */
  readonly jestOnly?: true;
  /** TypeScript wants `export =` in a file that is CommonJS by its name. */
  readonly untyped?: true;
}

const FORMS: readonly Form[] = [
  { name: 'a named export', file: 'src/named.ts', exportName: 'notifyAgent' },
  { name: 'a named export by another name', file: 'src/renamed.ts', exportName: 'run' },
  { name: 'a default export', file: 'src/default.ts', exportName: 'default' },
  { name: 'an .mts file', file: 'src/module.mts', exportName: 'notifyAgent' },
  { name: 'a .tsx file', file: 'src/view.tsx', exportName: 'notifyAgent' },
  { name: 'a path alias', file: 'src/named.ts', exportName: 'notifyAgent', alias: '@/named' },
  { name: 'an assigned function', file: 'src/assigned.ts', exportName: 'default', untyped: true },
  { name: 'a .cts file', file: 'src/common.cts', exportName: 'notifyAgent', jestOnly: true },
  { name: 'an assigned function in .cts', file: 'src/assigned.cts', exportName: 'default', jestOnly: true },
  { name: 'an assigned object in .cts', file: 'src/members.cts', exportName: 'notifyAgent', jestOnly: true },
];

const AGENT = `
const orderStatus = traceTool('order_status', async (orderId: string) => ({ order_id: orderId, carrier: '' }));

async function notifyAgent(orderId: string) {
  const { carrier } = await orderStatus(orderId);
  return { order_id: orderId, should_notify: true, carrier };
}
`;
const MODULE = `import { traceTool } from '@stepfork/recorder';\n${AGENT}`;
const ASSIGNED = `import recorder = require('@stepfork/recorder');\nconst { traceTool } = recorder;\n${AGENT}`;

const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "strict": true, "jsx": "preserve", "paths": { "@/*": ["./src/*.ts"] } } }',
  'src/named.ts': `${MODULE}\nexport { notifyAgent };\n`,
  'src/renamed.ts': `${MODULE}\nexport { notifyAgent as run };\n`,
  'src/default.ts': `${MODULE}\nexport default notifyAgent;\n`,
  'src/module.mts': `${MODULE}\nexport { notifyAgent };\n`,
  'src/view.tsx': `${MODULE}\nexport { notifyAgent };\n`,
  'src/common.cts': `${MODULE}\nexport { notifyAgent };\n`,
  'src/assigned.cts': `${ASSIGNED}\nexport = notifyAgent;\n`,
  'src/members.cts': `${ASSIGNED}\nconst agents = { notifyAgent };\nexport = agents;\n`,
  'src/assigned.ts': `${MODULE}\nexport = notifyAgent;\n`,
  'vitest.config.mjs': "export default { resolve: { alias: { '@': import.meta.dirname + '/src' } } };\n",
  'jest.config.mjs': `export default {
  transform: { '\\\\.[cm]?tsx?$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript', tsx: false } } }] },
  moduleNameMapper: {
    '^@/(.*)$': '<rootDir>/src/$1.ts',
    '^(\\\\.\\\\./src/.*)\\\\.mjs$': '$1.mts',
    '^(\\\\.\\\\./src/.*)\\\\.cjs$': '$1.cts',
    '^(\\\\.{1,2}/.*)\\\\.js$': '$1',
  },
};
`,
};

let project: ConsumerProject;
beforeAll(async () => {
  project = await createProject(FILES);
  await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
}, 60_000);
afterAll(() => project.remove());

function write(exporter: Exporter, { name, file, exportName, alias }: Form): string {
  const { folder } = project;
  const tracePath = join(folder, 'traces', 'failure.sftrace');
  const entrypointFile = alias === undefined ? join(folder, file) : (resolveAlias(folder, alias) ?? '');
  const target = detectTarget(join(folder, 'tests'), exporter.name, { entrypointFile });
  const testFile = `tests/${name.replaceAll(/\W+/g, '-')}.test.ts`;
  const [rendered] = renderCase(
    exporter,
    buildCase({
      ...{ trace: loadTrace(tracePath), tracePath, entrypointFile, exportName, target, expected: EXPECTED },
      ...(alias === undefined ? {} : { entrypointAlias: alias }),
      testFile: join(folder, testFile),
    }),
  );
  project.write({ [testFile]: rendered?.text ?? '' });
  return testFile;
}

const GREEN = [{ status: 'passed' }, { status: 'passed' }];

describe('a test of an agent that is', () => {
  test('B253 exported in whatever way runs in vitest, and is typed', async () => {
    const forms = FORMS.filter(({ jestOnly }) => jestOnly !== true);
    const files = forms.map((form) => write(vitestExporter, form));
    const { tests, output } = project.vitest();
    for (const file of files) expect(tests[file], `${file}\n${output}`).toMatchObject(GREEN);
    await expectTypes(forms, files);
  });

  test('B253 exported in whatever way runs in jest, and is typed', async () => {
    const files = FORMS.map((form) => write(jestExporter, form));
    const { tests, output } = project.jest([]);
    for (const file of files) expect(tests[file], `${file}\n${output}`).toMatchObject(GREEN);
    await expectTypes(FORMS, files);
  });
});

async function expectTypes(forms: readonly Form[], files: readonly string[]): Promise<void> {
  const typed = files.filter((_, index) => forms[index]?.untyped !== true);
  const aliases = { '@/*': [join(project.folder, 'src/*.ts')] };
  const paths = typed.map((file) => join(project.folder, file));
  expect(await strictDiagnostics(paths, aliases)).toEqual([]);
}
