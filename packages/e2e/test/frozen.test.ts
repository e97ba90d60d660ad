import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodiesRun } from '../src/bodies.js';
import { must, writeFiles } from '../src/consumer.js';
import { stepfork } from '../src/run.js';
import { remove, temporaryFolder } from '../src/temporary-folder.js';
import { testFolder } from '../src/test-folder.js';
import { FULL } from '../src/workspace.js';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));

describe('a recorded triage agent', () => {
  const cwd = temporaryFolder('triage');
  const triage = fixture('triage');
  const replay = (version: string, ...options: string[]) =>
    stepfork(['replay', 'triage.sftrace', '--entrypoint', `${triage}:${version}`, ...options], { cwd });

  beforeAll(async () => {
    await must(0, process.execPath, [triage, 'triage.sftrace', 'recorded'], { cwd });
    expect(bodiesRun(cwd)).toEqual([
      'lookup_service_health',
      'get_recent_deployments',
      'fetch_incident_runbook',
      'triage-1',
    ]);
    rmSync(join(cwd, 'bodies.log'));
  });
  afterAll(() => remove(cwd));

  test('validates and verifies', async () => {
    const validated = await stepfork(['validate', 'triage.sftrace', '--verify-integrity'], { cwd });
    expect(validated.exit, validated.output).toBe(0);
  });

  test('replays unchanged with no body run', async () => {
    const same = await replay('recorded');
    expect(same.exit, same.output).toBe(0);
    expect(same.stdout).toContain('matched');
    expect(bodiesRun(cwd)).toEqual([]);
  });

  test.each([
    ['swapped', 'get_recent_deployments', /call #1\b.*lookup_service_health.*get_recent_deployments/],
    ['changedArgument', 'get_recent_deployments', /window_minutes/],
    ['dropped', 'fetch_incident_runbook', /fetch_incident_runbook/],
    ['added', 'lookup_service_health', /call #5\b/],
    ['swallowed', 'lookup_service_health', /call #5\b/],
    ['changedPrompt', 'triage-1', /messages\[0\]\.content/],
  ])('%s: diverges, exits 1 and names %s, with no body run', async (version, call, detail) => {
    const diverged = await replay(version);
    expect(diverged.exit, diverged.output).toBe(1);
    expect(diverged.stdout).toContain('diverged');
    expect(diverged.stdout).toContain(call);
    expect(diverged.stdout).toMatch(detail);
    expect(bodiesRun(cwd)).toEqual([]);
  });

  test('another output after the same calls is a change, and an expectation decides whether it is the right one', async () => {
    const changed = await replay('overridden');
    expect(changed.exit, changed.output).toBe(1);
    expect(changed.stdout).toContain('output-changed');

    const decision = (severity: string) => JSON.stringify({ severity, escalation_required: true });
    writeFiles(cwd, { 'p1.json': decision('P1'), 'p0.json': decision('P0') });
    expect((await replay('overridden', '--expect-output', 'p1.json')).exit).toBe(0);
    const refused = await replay('overridden', '--expect-output', 'p0.json');
    expect(refused.exit).toBe(1);
    expect(refused.output).toContain(`behavior mismatch at 'severity': expected "P0", got "P1"`);
    expect(bodiesRun(cwd)).toEqual([]);
  });
});

test('an agent that quotes answers and its own input as JSON makes the same prompts on replay', async () => {
  const cwd = testFolder('quoting');
  await must(0, process.execPath, [fixture('triage'), 'quoting.sftrace', 'quoting'], { cwd });
  const same = await stepfork(['replay', 'quoting.sftrace', '--entrypoint', `${fixture('triage')}:quoting`], { cwd });
  expect(same.exit, same.output).toBe(0);
});

test('ten parallel calls that finish in another order than they started replay as recorded', async () => {
  const cwd = testFolder('fan-out');
  const times = FULL ? 100 : 10;
  const recorded = await must(0, process.execPath, [fixture('fan-out'), 'record', 'fan-out.sftrace'], { cwd });
  // A busy machine may swap neighbours; the order that is replayed is the one that was recorded.
  const finished = JSON.parse(recorded.stdout) as number[];
  expect(finished).toHaveLength(10);
  expect(finished[0]).toBeGreaterThan(0);
  expect(bodiesRun(cwd)).toHaveLength(10);

  const replayed = await must(0, process.execPath, [fixture('fan-out'), 'replay', 'fan-out.sftrace', `${times}`], {
    cwd,
  });
  const reports = JSON.parse(replayed.stdout) as unknown[];
  expect(reports).toHaveLength(times);
  for (const report of reports) {
    expect(report).toEqual({
      verdict: 'matched',
      output: finished,
      counts: { recorded: 10, substituted: 10, executed: 0 },
    });
  }
  expect(bodiesRun(cwd)).toHaveLength(10);
});
