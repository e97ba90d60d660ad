import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';
import { matcherAgent, matcherTests } from '../../../exporter-kit/test/consumer/matcher-tests.js';
import { recordFailure } from '../../../exporter-kit/test/consumer/notify-agent.js';
import { strictDiagnostics } from '../../../exporter-kit/test/consumer/strict-types.js';

describe('the matchers in jest', () => {
  const testFile = 'tests/matchers.test.ts';
  let project: ConsumerProject;

  beforeAll(async () => {
    const imports = `import '@stepfork/exporter-jest/setup';
import { beforeAll, expect, test } from '@jest/globals';
import { type ReplayReport, replayCase } from '@stepfork/exporter-jest';
import { fixed, swallowing } from '../src/agent.js';
`;
    project = await createProject({
      'package.json': JSON.stringify({ type: 'module' }),
      'jest.config.mjs': `export default {
  transform: { '\\\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\\\.{1,2}/.*)\\\\.js$': '$1' },
};
`,
      'src/agent.ts': matcherAgent(true),
      [testFile]: matcherTests(imports, true),
    });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
  }, 60_000);
  afterAll(() => project.remove());

  test('B247 are green and red as they say, also turned round, and never green on calls that diverged', () => {
    const { tests } = project.jest([]);
    const wrong = tests[testFile]?.filter(
      ({ title, status }) => status !== (title.startsWith('green') ? 'passed' : 'failed'),
    );
    expect(tests[testFile]?.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
    const messages = Object.fromEntries((tests[testFile] ?? []).map(({ title, message }) => [title, message]));
    expect(messages["red toHaveThrown('RangeError', /late/)"]).toContain(
      'expected the agent to throw RangeError with a message like /late/, but it returned',
    );
    expect(messages['red diverged not.toMatchOutput({ should_notify: true })']).toContain(
      'output not judged, the calls diverged: call #2',
    );
  });

  test('are typed', async () => {
    expect(await strictDiagnostics([join(project.folder, testFile)])).toEqual([]);
    project.write({
      'tests/wrong.test.ts': `import '@stepfork/exporter-jest/setup';
import { expect } from '@jest/globals';
expect(1).toHaveCalledTools('search');
`,
    });
    expect(await strictDiagnostics([join(project.folder, 'tests/wrong.test.ts')])).toEqual([
      expect.stringContaining("'string' is not assignable to parameter of type 'readonly string[]'"),
    ]);
  });
});
