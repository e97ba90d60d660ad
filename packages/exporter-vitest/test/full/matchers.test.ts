import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsumerProject, createProject } from '../../../exporter-kit/test/consumer/consumer-project.js';
import { matcherAgent, matcherTests } from '../../../exporter-kit/test/consumer/matcher-tests.js';
import { recordFailure } from '../../../exporter-kit/test/consumer/notify-agent.js';
import { strictDiagnostics } from '../../../exporter-kit/test/consumer/strict-types.js';

describe('the matchers in vitest', () => {
  const testFile = 'tests/matchers.test.ts';
  let project: ConsumerProject;

  beforeAll(async () => {
    const imports = `import '@stepfork/exporter-vitest/setup';
import { type ReplayReport, replayCase } from '@stepfork/exporter-vitest';
import { beforeAll, expect, test } from 'vitest';
import { fixed, swallowing } from '../src/agent.js';
`;
    project = await createProject({
      'package.json': JSON.stringify({ type: 'module' }),
      'src/agent.ts': matcherAgent(true),
      [testFile]: matcherTests(imports, true),
    });
    await recordFailure(join(project.folder, 'traces', 'failure.sftrace'));
  }, 60_000);
  afterAll(() => project.remove());

  test('B247 are green and red as they say, also turned round, and never green on calls that diverged', () => {
    const { tests } = project.vitest();
    const wrong = tests[testFile]?.filter(
      ({ title, status }) => status !== (title.startsWith('green') ? 'passed' : 'failed'),
    );
    expect(tests[testFile]?.length).toBeGreaterThan(60);
    expect(wrong).toEqual([]);
    const messages = Object.fromEntries((tests[testFile] ?? []).map(({ title, message }) => [title, message]));
    expect(messages["red toHaveCalledTool('refund')"]).toContain(
      "expected tool 'refund' to be called, but it was not\nthe replayed run made 1 call:",
    );
    expect(messages["red not.toHaveCalledTool('order_status')"]).toContain(
      "expected tool 'order_status' not to be called, but it was called once: call #1",
    );
    expect(messages['red diverged not.toHaveTakenAtMost(0)']).toContain('trajectory not judged, the replay diverged');
  });

  test('are typed', async () => {
    expect(await strictDiagnostics([join(project.folder, testFile)])).toEqual([]);
    project.write({
      'tests/wrong.test.ts': `import '@stepfork/exporter-vitest/setup';
import { expect } from 'vitest';
expect(1).toHaveTakenAtMost('1');
expect(1).toHaveTrajectory({ max_step: 1 });
`,
    });
    expect(await strictDiagnostics([join(project.folder, 'tests/wrong.test.ts')])).toEqual([
      expect.stringContaining("'string' is not assignable to parameter of type 'number'"),
      expect.stringContaining("'max_step' does not exist in type 'TrajectoryExpectation'"),
    ]);
  });
});
