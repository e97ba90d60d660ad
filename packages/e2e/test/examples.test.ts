import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bodiesRun } from '../src/bodies.js';
import { runNode, stepfork } from '../src/run.js';
import { examples, FULL, ROOT } from '../src/workspace.js';

const AGENTS: Readonly<Record<string, { readonly exportName: string; readonly mismatch: string }>> = {
  quickstart: {
    exportName: 'notifyAgent',
    mismatch: "behavior mismatch at 'should_notify': expected true, got false",
  },
  'booking-agent': {
    exportName: 'bookingAgent',
    mismatch: `behavior mismatch at 'flight': expected "TP431", got "IB8745"`,
  },
  'refund-agent': {
    exportName: 'refundAgent',
    mismatch: `behavior mismatch at 'decision': expected "approve", got "deny"`,
  },
  'openai-incident-triage': {
    exportName: 'incidentTriage',
    mismatch: "behavior mismatch at 'escalation_required': expected true, got false",
  },
  'ai-sdk-agent': {
    exportName: 'packingAgent',
    mismatch: "behavior mismatch at 'coat': expected true, got false",
  },
  'anthropic-agent': {
    exportName: 'reorderAgent',
    mismatch: "behavior mismatch at 'cases': expected 3, got 2",
  },
};

test('the table holds every example that is an agent', () => {
  const agents = examples().filter(({ folder }) => existsSync(join(ROOT, folder, 'traces')));
  expect(agents.map(({ folder }) => folder.slice('examples/'.length)).sort()).toEqual(Object.keys(AGENTS).sort());
});

// Their exported tests run wherever this suite does; their stories take half a minute each.
const TOLD = Object.keys(AGENTS).slice(0, FULL ? undefined : 0);

describe.each(TOLD)('examples/%s', (name) => {
  const cwd = join(ROOT, 'examples', name);
  const { exportName = '', mismatch = '' } = AGENTS[name] ?? {};
  const bundle = 'traces/failure.sftrace';

  test('its committed bundle verifies, and replays on the buggy agent with no body run', async () => {
    rmSync(join(cwd, 'services.log'), { force: true });
    await succeeds(['validate', bundle, '--verify-integrity']);
    const same = await succeeds(['replay', bundle, '--entrypoint', `src/agent.buggy.ts:${exportName}`]);
    expect(same.stdout).toContain('matched');
    expect(bodiesRun(cwd, 'services.log')).toEqual([]);
  });

  test('on the fixed agent the calls still match, and the output is the expected one', async () => {
    const fixed = ['replay', bundle, '--entrypoint', `src/agent.ts:${exportName}`];
    const changed = await stepfork(fixed, { cwd });
    expect(changed.exit, changed.output).toBe(1);
    expect(changed.stdout).toContain('output-changed');
    await succeeds([...fixed, '--expect-output', 'expected.json']);
    expect(bodiesRun(cwd, 'services.log')).toEqual([]);
  });

  test('its demo goes from the failing run to the green test', async () => {
    const demo = await runNode([join(cwd, 'node_modules/jiti/lib/jiti-cli.mjs'), 'demo.ts'], { cwd });
    expect(demo.exit, demo.output).toBe(0);
    // vitest and jest each print it; each may print it more than once.
    expect(demo.output.split(mismatch).length - 1).toBeGreaterThanOrEqual(2);
    expect(demo.output).toContain('tool and model bodies executed: 0');
    expect(demo.output).toContain('not regenerated, passed once the agent was fixed');
  });

  test('exporting its committed bundle again gives its committed tests, byte for byte', async () => {
    const copy = join(cwd, '.demo');
    rmSync(copy, { recursive: true, force: true });
    for (const path of ['src', 'expected.json', bundle]) cpSync(join(cwd, path), join(copy, path), { recursive: true });
    for (const framework of ['vitest', 'jest']) {
      const [file = ''] = [`tests/${framework}/${testName(exportName)}.test.ts`];
      const exported = await stepfork(
        [
          ...['export', bundle, '--to', framework, '--entrypoint', `src/agent.ts:${exportName}`],
          ...['--expect-output', 'expected.json', '--no-copy', '--output', file],
        ],
        { cwd: copy },
      );
      expect(exported.exit, exported.output).toBe(0);
      expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(cwd, file), 'utf8'));
    }
  });

  async function succeeds(args: readonly string[]) {
    const done = await stepfork(args, { cwd });
    expect(done.exit, done.output).toBe(0);
    return done;
  }
});

/** `notifyAgent` → `notify-agent`. */
const testName = (exportName: string): string => exportName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
