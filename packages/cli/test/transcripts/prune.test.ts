import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';
import { saveRun } from '../support/trace-folder.js';

const HOUR = 3_600_000;
const NOW = Date.now();
const ago = (days: number): string => new Date(NOW - days * 24 * HOUR - 1000).toISOString();
const runId = (digit: string): string => `run_${digit.repeat(32)}`;
const failure = { type: 'E', message: 'no', step: 0 };

let project: Agents;
let made = 0;
let folder = '';

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  const master = project.path('master');
  saveRun(master, 'a', { agentName: 'mail', runId: runId('a'), createdAt: ago(40), status: 'completed' });
  saveRun(master, 'b', { agentName: 'mail', runId: runId('b'), createdAt: ago(30), status: 'failed', failure });
  saveRun(master, 'c', { agentName: 'refund', runId: runId('c'), createdAt: ago(3), status: 'completed' });
  saveRun(master, 'd', { agentName: 'mail', runId: runId('d'), createdAt: ago(1), status: 'completed' });
}, 120_000);
afterAll(() => project?.remove());

beforeEach(() => {
  folder = `traces-${made++}`;
  cpSync(project.path('master'), project.path(folder), { recursive: true });
});

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const prune = (...argv: string[]): Promise<Ended> => run('prune', folder, ...argv);
const left = (): string => readdirSync(project.path(folder)).join(' ').replaceAll('.sftrace', '');

describe('stepfork prune', () => {
  it('says what would go and removes nothing, exit 0', async () => {
    const { exitCode, stdout, stderr } = await prune('--keep-last', '2', '--older-than', '35d');
    expect(stdout.replace(/\d+(?:\.\d)? k?B/g, '<size>')).toBe(`would remove 2 of 4 runs in ${folder}, <size>
  bbbbbbbb  mail  failed     30 d  <size>  not of the newest 2
  aaaaaaaa  mail  completed  40 d  <size>  not of the newest 2, older than 35 d
nothing was removed yet: --yes removes them
`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect((await prune('--keep-last', '0', '--dry-run')).stdout).toContain('would remove 4 of 4');
    expect(left()).toBe('a b c d');
  });

  it.each<[argv: string[], left: string]>([
    [['--keep-last', '1'], 'd'],
    [['--keep-last', '9'], 'a b c d'],
    [['--older-than', '2d'], 'd'],
    [['--max-size', '1B'], ''],
    [['--max-size', '1GB'], 'a b c d'],
    [['--max-size', '1GB', '--older-than', '35d'], 'b c d'],
    [['--older-than', '2d', '--completed'], 'b d'],
    [['--older-than', '2d', '--failed'], 'a c d'],
    [['--keep-last', '1', '--agent', 'mail'], 'c d'],
    [['--keep-last', '0', '--tag', 'a=b'], 'a b c d'],
  ])('removes with --yes %j and leaves %j', async (argv, expected) => {
    const { exitCode, stdout } = await prune(...argv, '--yes');
    expect(stdout).toMatch(/^removed /);
    expect(left()).toBe(expected);
    expect(exitCode).toBe(0);
  });

  it('prints one document with --json', async () => {
    const { stdout } = await prune('--older-than', '35d', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'stepfork.prune/1',
      folder,
      dry_run: true,
      removed: [{ bundle: `${folder}/a.sftrace`, run_id: runId('a'), reasons: ['older than 35 d'] }],
      left_alone: [],
    });
    expect(JSON.parse((await prune('--keep-last', '3', '--json', '--yes')).stdout)).toMatchObject({ dry_run: false });
    expect(left()).toBe('b c d');
  });

  it('leaves a kept run alone, and says so', async () => {
    await run('keep', `${folder}/a.sftrace`);
    const { stdout } = await prune('--older-than', '2d', '--yes');
    expect(stdout).toContain(`left alone: ${folder}/a.sftrace: it is kept\n`);
    expect(left()).toBe('.kept a d');
    await run('keep', '--undo', `${folder}/a.sftrace`);
    await prune('--older-than', '2d', '--yes');
    expect(left()).toBe('.kept d');
  });

  it('leaves what is being written alone until nothing was written for an hour', async () => {
    const partial = project.path(`${folder}/x.01234567.partial.sftrace`);
    cpSync(project.path(`${folder}/a.sftrace`), partial, { recursive: true });
    const { stdout } = await prune('--keep-last', '0', '--yes');
    expect(stdout).toMatch(
      /left alone: \S+\/x\.01234567\.partial\.sftrace: it may still be recorded: it was written to \d+ s ago\n/,
    );
    expect(existsSync(partial)).toBe(true);
    const old = new Date(NOW - 2 * HOUR);
    for (const name of readdirSync(partial)) utimesSync(`${partial}/${name}`, old, old);
    await prune('--keep-last', '0', '--yes');
    expect(left()).toBe('');
  });

  it('never removes what is no bundle, nor through a link', async () => {
    mkdirSync(project.path(`${folder}/notes.sftrace`));
    project.write(`${folder}/notes.sftrace/diary.txt`, 'mine');
    project.write(`${folder}/file.sftrace`, 'mine');
    project.write(`${folder}/readme.md`, 'mine');
    symlinkSync(project.path('master/a.sftrace'), project.path(`${folder}/link.sftrace`));
    const { stdout } = await prune('--keep-last', '0', '--yes');
    expect(left()).toBe('file link notes readme.md');
    expect(stdout).toContain('link.sftrace: it is a link to somewhere else\n');
    expect(stdout).toContain('notes.sftrace: no bundle: it has no manifest.json\n');
    expect(readdirSync(project.path('master')).length).toBe(4);
  });

  it('removes what a killed prune left behind, and nothing that only looks alike', async () => {
    const aside = project.path(`${folder}/.a.sftrace.0123abcd.pruned`);
    cpSync(project.path(`${folder}/a.sftrace`), aside, { recursive: true });
    symlinkSync(project.path('master'), project.path(`${folder}/.b.sftrace.0123abcd.pruned`));
    expect((await run('list', folder, '--json')).stdout).not.toContain('pruned');
    await prune('--keep-last', '9', '--yes');
    expect(left()).toBe('.b.0123abcd.pruned a b c d');
    expect(lstatSync(project.path('master/a.sftrace')).isDirectory()).toBe(true);
  });

  it.each([
    [[], /'prune' needs --keep-last, --older-than or --max-size\./],
    [['--keep-last', 'all'], /'--keep-last' needs a whole number, not 'all'\. Write it as 100\./],
    [['--older-than', '30'], /'--older-than' needs a span of time, not '30'\. Write it as 30d/],
    [['--max-size', 'big'], /'--max-size' needs a size, not 'big'\. Write it as 1GB/],
    [['--keep-last', '1', '--yes', '--dry-run'], /'--yes' and '--dry-run' cannot be given together\./],
    [['--keep-last', '1', '--failed', '--completed'], /cannot be given together\./],
  ])('refuses %j in one line, exit 2', async (argv, line) => {
    const { exitCode, stdout, stderr } = await prune(...argv, ...(argv.includes('--yes') ? [] : ['--yes']));
    expect(stderr).toMatch(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(left()).toBe('a b c d');
  });
});

describe('stepfork keep', () => {
  it('keeps a run, however its bundle is called later, and leaves its seal as it is', async () => {
    const first = await run('keep', `${folder}/b.sftrace`);
    expect(first).toEqual({ exitCode: 0, stdout: `kept: ${runId('b')} (${folder}/b.sftrace)\n`, stderr: '' });
    expect((await run('keep', `${folder}/b.sftrace`)).stdout).toMatch(/^is kept already: /);
    expect((await run('validate', `${folder}/b.sftrace`, '--verify-integrity')).stdout).toContain(
      'integrity: verified',
    );
    await run('pack', `${folder}/b.sftrace`, '--output', `${folder}/other.sftrace`);
    expect((await run('list', folder)).stdout.match(/\(kept\)/g)).toHaveLength(2);
    await prune('--keep-last', '0', '--yes');
    expect(left()).toBe('.kept b other');
  });

  it('keeps it no longer with --undo', async () => {
    await run('keep', `${folder}/b.sftrace`);
    expect((await run('keep', `${folder}/b.sftrace`, '--undo')).stdout).toMatch(/^no longer kept: run_b/);
    expect((await run('keep', `${folder}/b.sftrace`, '--undo')).stdout).toMatch(/^was not kept: run_b/);
    expect((await run('list', folder)).stdout).not.toContain('(kept)');
  });

  it('writes nowhere else for a run whose id is a path', async () => {
    saveRun(project.path(folder), 'evil', { agentName: 'x', runId: '../../escaped' });
    expect((await run('keep', `${folder}/evil.sftrace`)).exitCode).toBe(0);
    expect(existsSync(project.path('escaped'))).toBe(false);
    expect((await run('list', folder, '--json')).stdout).toMatch(
      /"run_id": "\.\.\/\.\.\/escaped"[^}]*\}?[^}]*"kept": true/,
    );
  });

  it.each([
    ['agent.mjs', /agent\.mjs shows no run: its name does not end in '\.sftrace'\. Give the bundle/],
    ['nowhere.sftrace', /nowhere\.sftrace shows no run: it leads to nothing\. Give the bundle/],
  ])('refuses %s, exit 2', async (named, line) => {
    const { exitCode, stderr } = await run('keep', named);
    expect(stderr).toMatch(line);
    expect(exitCode).toBe(2);
  });
});
