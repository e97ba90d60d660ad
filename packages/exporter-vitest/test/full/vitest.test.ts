import { join } from 'node:path';
import { exporter } from '@stepfork/exporter-vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';
import {
  EXPECTATIONS,
  exported,
  notifyAgent,
  recordFailure,
} from '../../../exporter-kit/test/consumer/notify-agent.js';
import { strictDiagnostics } from '../../../exporter-kit/test/consumer/strict-types.js';

describe('a TypeScript project on vitest', () => {
  const testFile = 'tests/notify.test.ts';
  let project: ConsumerProject;

  beforeAll(async () => {
    project = await createProject({
      'package.json': JSON.stringify({ type: 'module' }),
      'src/agent.ts': notifyAgent('ts', 'delivered'),
      'src/main.ts': "export { notifyAgent } from './agent.js';\n",
    });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
    project.write({ [testFile]: exported(exporter, project.folder, 'src/agent.ts', testFile) });
  }, 60_000);
  afterAll(() => project.remove());

  test('B247 B249 the test is red on the buggy agent, naming the path, with a diff below', () => {
    const { exit, tests, output } = project.vitest('--reporter=default');
    expect(exit).toBe(1);
    expect(tests[testFile]).toMatchObject([
      { title: 'makes the recorded calls', status: 'passed' },
      { title: 'returns the corrected output', status: 'failed' },
    ]);
    expect(tests[testFile]?.[1]?.message).toContain("behavior mismatch at 'should_notify': expected true, got false");
    expect(output).toMatch(/-\s+"should_notify": true,\n\s*\+\s+"should_notify": false,/);
  });

  test('the same file is green on the fixed agent, whose tools do not run', () => {
    project.write({ 'src/agent.ts': notifyAgent('ts', 'shipped') });
    expect(project.vitest()).toMatchObject({
      exit: 0,
      tests: { [testFile]: [{ status: 'passed' }, { status: 'passed' }] },
    });
  });

  test('B247 the same file is red again when the agent makes one more call', () => {
    project.write({ 'src/agent.ts': notifyAgent('ts', 'shipped', 2) });
    const { exit, tests } = project.vitest();
    expect(exit).toBe(1);
    expect(tests[testFile]).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
    expect(tests[testFile]?.[0]?.message).toMatch(/call #2.*order_status/);
    expect(tests[testFile]?.[1]?.message).toContain('output not judged, the calls diverged: call #2');
  });

  test('the file passes strict NodeNext types as it is written', async () => {
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
});

describe('a JavaScript project on vitest', () => {
  const testFile = 'notify.test.mjs';
  let project: ConsumerProject;

  beforeAll(async () => {
    project = await createProject({ 'package.json': '{}', 'agent.mjs': notifyAgent('esm', 'shipped') });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
    const text = exported(exporter, project.folder, 'agent.mjs', testFile);
    project.write({ [testFile]: text, 'missing.test.mjs': text.replaceAll('failure.sftrace', 'gone.sftrace') });
  }, 60_000);
  afterAll(() => project.remove());

  test('B247 the test is green on the fixed agent; one whose recording is gone fails, saying so', () => {
    const { exit, tests, output } = project.vitest('--reporter=default');
    expect(exit).toBe(1);
    expect(tests[testFile]).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
    expect(output).toMatch(/StepforkError: .*gone\.sftrace/);
  });
});
