import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
}, 120_000);
afterAll(() => project?.remove());

const stepfork = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);

describe('stepfork recover', () => {
  it('makes a bundle of what a killed process left behind', async () => {
    project.write(
      'killed.mjs',
      `import { record } from '@stepfork/recorder';
import { runAgent } from './agent.mjs';

await record('notify-agent', { output: 'run.sftrace', input: { order_id: 'ORD-1' } }, async (_, input) => {
  await runAgent(input);
  process.kill(process.pid, 'SIGKILL');
});
`,
    );
    spawnSync(process.execPath, ['killed.mjs'], { cwd: project.folder });
    const [left = ''] = readdirSync(project.folder).filter((name) => name.endsWith('.partial.sftrace'));
    expect((await stepfork('validate', left, '--partial')).exitCode).toBe(0);
    const recovered = await stepfork('recover', left);
    expect(recovered).toMatchObject({ exitCode: 0, stderr: '' });
    expect(recovered.stdout).toMatch(/^recovered run\.sftrace: \d+ events, /);
    expect((await stepfork('validate', 'run.sftrace', '--verify-integrity')).exitCode).toBe(0);
  });

  it('leaves a bundle that is whole as it is, and says so', async () => {
    await project.record('runAgent', 'whole.sftrace');
    const recovered = await stepfork('recover', 'whole.sftrace');
    expect(recovered).toMatchObject({ exitCode: 0, stderr: '' });
    expect(recovered.stdout).toMatch(/^whole\.sftrace is whole, nothing had to be recovered: \d+ events, completed\n$/);
  });

  it('refuses what is no leftover in one line, exit 2', async () => {
    await project.record('runAgent', 'torn.sftrace');
    project.write('torn.sftrace/integrity.json', '{}');
    for (const path of ['torn.sftrace', 'nowhere.sftrace']) {
      const { exitCode, stdout, stderr } = await stepfork('recover', path);
      expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
      expect(stderr).toContain(path);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    }
  });
});
