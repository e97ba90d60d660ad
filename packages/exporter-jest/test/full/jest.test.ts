import { join } from 'node:path';
import { exporter } from '@stepfork/exporter-jest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';
import {
  EXPECTATIONS,
  exported,
  notifyAgent,
  recordFailure,
  type Style,
} from '../../../exporter-kit/test/consumer/notify-agent.js';
import { strictDiagnostics } from '../../../exporter-kit/test/consumer/strict-types.js';

interface Variant {
  readonly name: string;
  readonly style: Style;
  readonly source: string;
  readonly testFile: string;
  readonly files: Readonly<Record<string, string>>;
  readonly nodeArgs: readonly string[];
}

const variants: readonly Variant[] = [
  {
    name: 'TypeScript that @swc/jest turns into CommonJS',
    style: 'ts',
    source: 'src/agent.ts',
    testFile: 'tests/notify.test.ts',
    files: {
      'package.json': JSON.stringify({ type: 'module' }),
      'src/main.ts': "export { notifyAgent } from './agent.js';\n",
      'jest.config.mjs': `export default {
  transform: { '\\\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
};
`,
    },
    nodeArgs: [],
  },
  {
    name: 'ES modules',
    style: 'esm',
    source: 'src/agent.mjs',
    testFile: 'tests/notify.test.mjs',
    files: { 'package.json': '{}', 'jest.config.json': '{"transform":{}}' },
    nodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  },
  {
    name: 'CommonJS, with no configuration',
    style: 'cjs',
    source: 'src/agent.cjs',
    testFile: 'tests/notify.test.cjs',
    files: { 'package.json': '{}' },
    nodeArgs: [],
  },
];

describe.each(variants)('jest on $name', ({ style, source, testFile, files, nodeArgs }) => {
  let project: ConsumerProject;

  beforeAll(async () => {
    project = await createProject({ ...files, [source]: notifyAgent(style, 'delivered') });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
    project.write({ [testFile]: exported(exporter, project.folder, source, testFile) });
  }, 60_000);
  afterAll(() => project.remove());

  test('B247 B249 the test is red on the buggy agent, naming the path, with a diff below', () => {
    const { exit, tests } = project.jest(nodeArgs);
    expect(exit).toBe(1);
    expect(tests[testFile]).toMatchObject([
      { title: 'makes the recorded calls', status: 'passed' },
      { title: 'returns the corrected output', status: 'failed' },
    ]);
    const message = tests[testFile]?.[1]?.message ?? '';
    expect(message).toContain("behavior mismatch at 'should_notify': expected true, got false");
    expect(message).toMatch(/-\s+"should_notify": true,\n\s*\+\s+"should_notify": false,/);
  });

  test('the same file is green on the fixed agent, whose tools do not run', () => {
    project.write({ [source]: notifyAgent(style, 'shipped') });
    expect(project.jest(nodeArgs)).toMatchObject({
      exit: 0,
      tests: { [testFile]: [{ status: 'passed' }, { status: 'passed' }] },
    });
  });

  test('B247 the same file is red again when the agent makes one more call', () => {
    project.write({ [source]: notifyAgent(style, 'shipped', 2) });
    const { exit, tests } = project.jest(nodeArgs);
    expect(exit).toBe(1);
    expect(tests[testFile]?.[0]?.message).toMatch(/call #2.*order_status/);
    expect(tests[testFile]?.[1]?.message).toContain('output not judged, the calls diverged: call #2');
  });
});

describe('a TypeScript test for jest', () => {
  const testFile = 'tests/notify.test.ts';
  let project: ConsumerProject;

  beforeAll(async () => {
    project = await createProject({
      'package.json': JSON.stringify({ type: 'module' }),
      'src/agent.ts': notifyAgent('ts', 'shipped'),
      'src/main.ts': "export { notifyAgent } from './agent.js';\n",
    });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
  }, 60_000);
  afterAll(() => project.remove());

  test('passes strict NodeNext types as it is written', async () => {
    project.write({ [testFile]: exported(exporter, project.folder, 'src/agent.ts', testFile) });
    expect(project.read(testFile)).toContain("from '@jest/globals';");
    expect(await strictDiagnostics([join(project.folder, testFile)])).toEqual([]);
  });

  test.each(Object.entries(EXPECTATIONS))(
    'a test that expects %s passes strict NodeNext types as well',
    async (_, expects) => {
      const file = 'tests/more.test.ts';
      project.write({ [file]: exported(exporter, project.folder, 'src/agent.ts', file, expects) });
      expect(await strictDiagnostics([join(project.folder, file)])).toEqual([]);
    },
  );

  test('passes them too where @types/jest declares the globals', async () => {
    // The shape of @types/jest: a global namespace whose Matchers libraries extend.
    project.write({
      'package.json': JSON.stringify({ type: 'module', devDependencies: { '@types/jest': '30' } }),
      'globals.d.ts': `
        declare function describe(name: string, fn: () => void): void;
        declare function test(name: string, fn: () => void): void;
        declare function beforeAll(fn: () => Promise<void>, timeout?: number): void;
        declare function expect<T>(actual: T): jest.Matchers<void, T>;
        declare namespace jest { interface Matchers<R, T = {}> { toBe(expected: T): R } }
      `,
    });
    project.write({ [testFile]: exported(exporter, project.folder, 'src/agent.ts', testFile) });
    expect(project.read(testFile)).not.toContain('@jest/globals');
    expect(await strictDiagnostics([join(project.folder, testFile), join(project.folder, 'globals.d.ts')])).toEqual([]);
  });
});
