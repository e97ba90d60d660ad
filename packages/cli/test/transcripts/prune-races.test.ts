import { cpSync, existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeBundle } from '../../src/commands/prune/remove.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { createProject, type Project } from '../support/project.js';
import { type Ended, stepfork } from '../support/stepfork.js';
import { fillFolder, saveRun } from '../support/trace-folder.js';

const ROUNDS = process.env.STEPFORK_FULL === '1' ? 60 : 6;

let project: Project;

beforeAll(async () => {
  await ensureBuilt();
  project = createProject();
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const left = (folder: string): readonly string[] =>
  readdirSync(project.path(folder)).filter((name) => name !== '.kept');

describe('prune, while others are at the same folder', () => {
  it('never removes a run that keep said it keeps', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const folder = `race-${round}`;
      for (let at = 0; at < 40; at++) saveRun(project.path(folder), `run-${at}`, { agentName: 'mail' });
      const bundle = `${folder}/run-${(round * 7) % 40}.sftrace`;
      const [kept, pruned] = await Promise.all([
        stepfork(project.folder, 'keep', bundle),
        stepfork(project.folder, 'prune', folder, '--keep-last', '0', '--yes'),
      ]);
      expect(pruned).toMatchObject({ exitCode: 0, stderr: '' });
      expect(existsSync(project.path(bundle)), kept.stdout + kept.stderr).toBe(kept.exitCode === 0);
      expect(left(folder)).toHaveLength(kept.exitCode === 0 ? 1 : 0);
    }
  }, 60_000);

  it.each(['folder', 'packed'])('puts back what was marked since it was looked at: %s', async (kind) => {
    const path = saveRun(project.path(`back-${kind}`), 'run', { agentName: 'mail' });
    if (kind === 'packed') {
      await run('pack', path, '--output', `back-${kind}/one.packed.sftrace`);
      rmSync(path, { recursive: true });
    }
    const bundle = kind === 'packed' ? `back-${kind}/one.packed.sftrace` : `back-${kind}/run.sftrace`;
    await run('keep', bundle);
    expect(removeBundle(project.path(bundle))).toEqual({ kind: 'kept' });
    expect(left(`back-${kind}`)).toEqual([bundle.split('/')[1]]);
    expect((await run('validate', bundle, '--verify-integrity')).exitCode).toBe(0);
  });

  it('puts back what a killed prune had taken away, where it was marked', async () => {
    const path = saveRun(project.path('leftover'), 'run', { agentName: 'mail' });
    await run('keep', path);
    const aside = project.path('leftover/.run.sftrace.0123abcd.pruned');
    cpSync(path, aside, { recursive: true });
    rmSync(path, { recursive: true });
    cpSync(aside, project.path('leftover/.other.sftrace.0123abcd.removed'), { recursive: true });
    await run('prune', 'leftover', '--keep-last', '0', '--yes');
    expect(left('leftover')).toEqual(['run.sftrace']);
  });

  it('leaves to a prune that goes on what that has taken away', async () => {
    const path = saveRun(project.path('going'), 'run', { agentName: 'mail' });
    const names = [`.a.sftrace.0123abcd.${process.pid}.pruned`, `.b.sftrace.0123abcd.${process.pid}.removed`];
    for (const name of names) cpSync(path, project.path(`going/${name}`), { recursive: true });
    await run('prune', 'going', '--keep-last', '0', '--yes');
    expect(left('going')).toEqual(names);
  });

  it('counts as gone what another prune has removed', async () => {
    fillFolder(project.path('many'), 400);
    const both = await Promise.all(
      [0, 1].map(() => stepfork(project.folder, 'prune', 'many', '--keep-last', '0', '--yes')),
    );
    for (const { exitCode, stdout, stderr } of both) {
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(stdout).not.toContain('left alone');
    }
    const removed = both.map(({ stdout }) => Number(/^removed (\d+) of/.exec(stdout)?.[1]));
    expect((removed[0] ?? 0) + (removed[1] ?? 0)).toBe(400);
    expect(left('many')).toEqual([]);
  });

  it('says of what it takes no notice of that it is kept, also where nothing else is there', async () => {
    saveRun(project.path('all-kept'), 'run', { agentName: 'mail' });
    symlinkSync('run.sftrace', project.path('all-kept/link.sftrace'));
    await run('keep', 'all-kept/run.sftrace');
    const { stdout } = await run('prune', 'all-kept', '--keep-last', '0');
    expect(stdout).toContain('left alone: all-kept/run.sftrace: it is kept\n');
  });
});
