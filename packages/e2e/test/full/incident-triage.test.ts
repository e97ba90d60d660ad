import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodiesRun } from '../../src/bodies.js';
import { stepfork } from '../../src/run.js';
import { ROOT } from '../../src/workspace.js';

const EXAMPLE = join(ROOT, 'examples', 'openai-incident-triage');
// Inside the example, where its packages are found.
const FOLDER = join(EXAMPLE, '.changed');
const BUNDLE = join(EXAMPLE, 'traces', 'failure.sftrace');

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  cpSync(join(EXAMPLE, 'src'), join(FOLDER, 'src'), { recursive: true });
});
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** The fixed agent with a text in its place. */
async function replayed(before: string, after: string) {
  const source = readFileSync(join(EXAMPLE, 'src', 'agent.ts'), 'utf8');
  expect(source).toContain(before);
  writeFileSync(join(FOLDER, 'src', 'agent.ts'), source.replace(before, after));
  const entrypoint = ['--entrypoint', 'src/agent.ts:incidentTriage'];
  const done = await stepfork(['replay', BUNDLE, ...entrypoint, '--expect-output', '../expected.json'], {
    cwd: FOLDER,
  });
  expect(bodiesRun(FOLDER, 'services.log')).toEqual([]);
  return done;
}

describe('the incident triage on the openai package', () => {
  test('is as expected while it makes the recorded calls', async () => {
    expect((await replayed('60', '60')).exit).toBe(0);
  });

  test('is reported where it looks at a window of 120 minutes in place of 60', async () => {
    const { exit, stdout } = await replayed('60', '120');
    expect(exit).toBe(1);
    expect(stdout).toContain('diverged');
    expect(stdout).toMatch(/recent_deployments[\s\S]*window_minutes[^\n]*60[^\n]*120/);
  });

  test('is reported where it reads the runbook before the deployments', async () => {
    const handbook = '  const handbook = await runbook(alert.service);\n';
    const deployments = '  const deployments = [];\n';
    const source = readFileSync(join(EXAMPLE, 'src', 'agent.ts'), 'utf8');
    const between = source.slice(source.indexOf(deployments), source.indexOf(handbook));
    const { exit, stdout } = await replayed(`${between}${handbook}`, `${handbook}${between}`);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/diverged[\s\S]*runbook/);
  });
});
