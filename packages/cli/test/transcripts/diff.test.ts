import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('runAgent', 'again.sftrace');
  await project.record('fixed', 'fixed.sftrace');
}, 120_000);
afterAll(() => project?.remove());

const diff = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)('diff', ...argv);

describe('stepfork diff', () => {
  it('B270 finds two runs of one agent equivalent, exit 0', async () => {
    const { exitCode, stdout, stderr } = await diff('failure.sftrace', 'again.sftrace');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  it('B270 says what the fix changed, exit 1', async () => {
    const { exitCode, stdout } = await diff('failure.sftrace', 'fixed.sftrace');
    expect(stdout).toContain('should_notify');
    expect(exitCode).toBe(1);
  });

  it('numbers what differs as inspect does, on each side', async () => {
    await project.record('eager', 'eager.sftrace');
    await project.record('drifted', 'drifted.sftrace');
    for (const candidate of ['fixed.sftrace', 'eager.sftrace', 'drifted.sftrace']) {
      const { stdout } = await diff('failure.sftrace', candidate);
      const lines = [...stdout.matchAll(/^(changed|added|removed) step (\d+) (?:tool |llm acme\/|)(\S+)/gm)];
      expect(lines.length).toBeGreaterThan(0);
      expect(stdout).not.toContain('#');
      for (const [, kind, step = '', label] of lines) {
        const bundle = kind === 'added' ? candidate : 'failure.sftrace';
        const shown = await commandLineIn(project.folder)('inspect', bundle, '--step', step);
        const name = label === 'run' ? 'run_end completed' : `(?:tool_call|llm_request) ${label}`;
        expect(shown.stdout).toMatch(new RegExp(`^step ${step}: ${name}\\n`));
      }
    }
  });

  it('B269 prints one document with --json', async () => {
    const { exitCode, stdout } = await diff('failure.sftrace', 'fixed.sftrace', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'stepfork.diff/1',
      baseline: 'failure.sftrace',
      candidate: 'fixed.sftrace',
      equivalent: false,
      counts: { changed: 1, added: 0, removed: 0 },
    });
    expect(exitCode).toBe(1);
  });

  it('leaves out a place of an input, and refuses one that is none, exit 2', async () => {
    await project.record('runAgent', 'other.sftrace', { order_id: 'ORD-2' });
    expect((await diff('failure.sftrace', 'other.sftrace')).stdout).toContain('input.order_id: "ORD-1" → "ORD-2"');
    const places = ['--ignore', 'tool:*=/order_id', '--ignore', 'llm:*=/prompt'];
    const { stdout } = await diff('failure.sftrace', 'other.sftrace', ...places);
    expect(stdout).not.toContain('input.order_id');
    const { exitCode, stderr } = await diff('failure.sftrace', 'other.sftrace', '--ignore', 'order_id');
    expect(stderr).toMatch(
      /^stepfork: --ignore needs a call and a JSON Pointer, like tool:search=\/now, not 'order_id'/,
    );
    expect(exitCode).toBe(2);
    expect((await diff('failure.sftrace', 'other.sftrace', '--ignore', 'order=/id')).stderr).toMatch(/'order'/);
  });

  it('B270 refuses what it cannot read in one line, exit 2', async () => {
    for (const pair of [
      ['failure.sftrace', 'nowhere.sftrace'],
      ['nowhere.sftrace', 'failure.sftrace'],
    ]) {
      const { exitCode, stdout, stderr } = await diff(...pair);
      expect(stderr).toMatch(/^stepfork: [^\n]*nowhere\.sftrace[^\n]*\n$/);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    }
    const { stdout } = await diff('failure.sftrace', 'nowhere.sftrace', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ error: 'missing_bundle' });
  });
});

const REFERENCE = fileURLToPath(new URL('../../../../../shared/reference/bundles/', import.meta.url));

if (existsSync(REFERENCE)) {
  describe('the reference pair', () => {
    it('B238 B270 differs in two steps', async () => {
      const { exitCode, stdout } = await diff(
        `${REFERENCE}diff_baseline.sftrace`,
        `${REFERENCE}diff_changed.sftrace`,
        '--json',
      );
      expect(JSON.parse(stdout)).toMatchObject({ counts: { changed: 2, unchanged: 0, added: 0, removed: 0 } });
      expect(exitCode).toBe(1);
    });
  });
}
