import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { DRIVES_TERMINAL } from '../support/drives-terminal.js';
import type { Ended } from '../support/stepfork.js';
import { fillFolder, saveRun } from '../support/trace-folder.js';

const TRACES = '.stepfork/traces';
const HOUR = 3_600_000;
const NOW = Date.now();
const ago = (hours: number): string => new Date(NOW - hours * HOUR - 1000).toISOString();
const runId = (digit: string): string => `run_${digit.repeat(32)}`;

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  const folder = project.path(TRACES);
  const failure = { type: 'RangeError', message: 'no such order', step: 0 };
  const tags = { release: '1.4', team: 'mail' };
  saveRun(folder, 'old', { agentName: 'refund', runId: runId('a'), createdAt: ago(100), status: 'completed' });
  saveRun(folder, 'bad', {
    agentName: 'notify',
    runId: runId('b'),
    createdAt: ago(30),
    status: 'failed',
    failure,
    tags,
  });
  saveRun(folder, 'new', { agentName: 'notify', runId: runId('c'), createdAt: ago(1), status: 'completed' });
  await run('pack', `${TRACES}/new.sftrace`, '--output', `${TRACES}/new.packed.sftrace`);
}, 120_000);
afterAll(() => project?.remove(), 120_000);

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const listed = async (...argv: string[]): Promise<readonly string[]> => {
  const { stdout } = await run('list', ...argv, '--json');
  const { runs } = JSON.parse(stdout) as { runs: { run_id: string; packed: boolean }[] };
  return runs.filter(({ packed }) => !packed).map(({ run_id }) => run_id.slice(4, 5));
};

describe('stepfork list', () => {
  it('names the agents there are where none has the name', async () => {
    for (const [agent, hint] of [
      ['notifi', "Did you mean 'notify'?"],
      ['clerk', 'Its agents are notify, refund.'],
    ] as const) {
      const { exitCode, stdout } = await run('list', '--agent', agent);
      expect(stdout).toBe(`there is no run of agent '${agent}' in .stepfork/traces. ${hint}\n`);
      expect(exitCode).toBe(0);
    }
  });

  it.each([
    ['above', 'a/b', '../../.stepfork/traces'],
    ['in a package', 'workspace', 'packages/agent/.stepfork/traces'],
  ])('names the nearest folder of runs where there is none here: %s', async (_, folder, found) => {
    mkdirSync(project.path(folder), { recursive: true });
    if (folder === 'workspace') {
      const place = project.path(`${folder}/packages/agent/${TRACES}`);
      mkdirSync(place, { recursive: true });
      saveRun(place, 'one', { agentName: 'notify', runId: runId('d'), createdAt: ago(1), status: 'completed' });
    }
    const { exitCode, stdout } = await commandLineIn(project.path(folder))('list');
    expect(stdout).toBe(`there are no runs in .stepfork/traces; there are some in ${found}\n`);
    expect(exitCode).toBe(0);
  });

  it('lists runs, the newest first, exit 0', async () => {
    const { exitCode, stdout, stderr } = await run('list');
    expect(
      stdout.replace(/\d+(?:\.\d)? k?B/g, '<size>'),
    ).toBe(`RUN       AGENT   STATUS             CALLS  STEPS   AGE    SIZE  TAGS                   FAILURE
cccccccc  notify  completed              0      1   1 h  <size>  (packed)
cccccccc  notify  completed              0      1   1 h  <size>
bbbbbbbb  notify  failed RangeError      0      1  30 h  <size>  release=1.4 team=mail  no such order
aaaaaaaa  refund  completed              0      1   4 d  <size>
`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it.each<[argv: string[], runs: string[]]>([
    [[], ['c', 'b', 'a']],
    [['--failed'], ['b']],
    [
      ['--agent', 'notify'],
      ['c', 'b'],
    ],
    [['--tag', 'release=1.4'], ['b']],
    [['--tag', 'release=1.4', '--tag', 'team=mail'], ['b']],
    [['--tag', 'release=1.4', '--tag', 'team=sales'], []],
    [
      ['--since', '2d'],
      ['c', 'b'],
    ],
    [['--since', '2d', '--since', '2h'], ['c']],
    [
      ['--since', ago(40)],
      ['c', 'b'],
    ],
    [
      ['--limit', '3'],
      ['c', 'b'],
    ],
    [['--failed', '--agent', 'refund'], []],
  ])('lists with %j %j', async (argv, runs) => expect(await listed(...argv)).toEqual(runs));

  it('names runs of another folder by it, and finds them so', async () => {
    saveRun(project.path('other/traces'), 'one', { agentName: 'mail/eu', runId: runId('e'), status: 'completed' });
    const { stdout, stderr } = await run('list', 'other/traces');
    expect(stdout).toContain('\neeeeeeee  mail/eu ');
    expect(stderr).toBe('stepfork: a run of this folder is named other/traces/eeeeeeee\n');
    for (const named of ['eeeeeeee', 'latest', 'latest:mail/eu', 'run_eee']) {
      const found = await run('inspect', `other/traces/${named}`);
      expect(found.stdout).toMatch(/^other\/traces\/one\.sftrace\n/);
    }
    expect((await run('list', TRACES)).stderr).toBe('');
    const here = await commandLineIn(project.path('other/traces'))('list', '.');
    expect(here.stderr).toBe('stepfork: a run of this folder is named ./eeeeeeee\n');
    const shown = await commandLineIn(project.path('other/traces'))('inspect', './eeeeeeee');
    expect(shown.stdout).toMatch(/^one\.sftrace\n|^\.\/one\.sftrace\n/);
    expect((await run('list', `./${TRACES}/`)).stderr).toBe('');
    expect((await run('inspect', 'other/traces/ffff')).stderr).toMatch(/'ffff' is neither .* in other\/traces\//);
    expect((await run('inspect', 'other/nowhere/ffff')).stderr).toContain("must end in '.sftrace'");
  });

  it('says where the runs of a project are, given its folder', async () => {
    const there = `there are no runs in below; there are some in below/${TRACES}\n`;
    saveRun(project.path(`below/${TRACES}`), 'one', { agentName: 'mail' });
    expect(await run('list', 'below')).toEqual({ exitCode: 0, stdout: there, stderr: '' });
    expect(await run('prune', 'below', '--keep-last', '0')).toEqual({ exitCode: 0, stdout: there, stderr: '' });
  });

  it('says that nothing is of the kind asked for, and that more is not shown', async () => {
    expect((await run('list', '--tag', 'release=9')).stdout).toBe(`none of the 4 runs in ${TRACES} is of that kind\n`);
    const { stdout, stderr } = await run('list', '--limit', '1');
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toBe('stepfork: 3 more are not shown; --limit shows more of them\n');
  });

  it('prints one document with --json', async () => {
    const { stdout } = await run('list', '--failed', '--json');
    expect(JSON.parse(stdout)).toEqual({
      schema: 'stepfork.list/1',
      folder: TRACES,
      total: 1,
      runs: [
        {
          bundle: `${TRACES}/bad.sftrace`,
          run_id: runId('b'),
          short_id: 'bbbbbbbb',
          agent_name: 'notify',
          status: 'failed',
          failure: { type: 'RangeError', message: 'no such order', step: 0 },
          created_at: expect.any(String),
          duration_ms: null,
          cost_usd: null,
          events: 1,
          tool_calls: 0,
          llm_calls: 0,
          size_bytes: expect.any(Number),
          tags: { release: '1.4', team: 'mail' },
          kept: false,
          packed: false,
          unfinished: false,
        },
      ],
      unreadable: [],
    });
  });

  it('shows a run that is recorded still, or was killed, and what to do', async () => {
    const { record } = await project.recorder();
    mkdirSync(project.path('killed'));
    await record('notify', { output: project.path('killed/run.sftrace') }, () => {
      const [partial = ''] = readdirSync(project.path('killed'));
      cpSync(project.path(`killed/${partial}`), project.path('killed/copy.01234567.partial.sftrace'), {
        recursive: true,
      });
    });
    const { stdout, stderr } = await run('list', 'killed');
    expect(stdout).toMatch(/ {2}unfinished +- +- {2}/);
    expect(stderr).toContain(
      'stepfork: 1 run is unfinished: recorded still, or killed. If its process is gone, run: stepfork recover killed/copy.01234567.partial.sftrace\n',
    );
  });

  it('has no runs where nothing was recorded yet, and refuses what is no folder of runs, exit 2', async () => {
    mkdirSync(project.path('empty/sub'), { recursive: true });
    expect(await run('list', 'empty')).toEqual({ exitCode: 0, stdout: 'there are no runs in empty\n', stderr: '' });
    expect(await commandLineIn(project.path('empty'))('list')).toMatchObject({ exitCode: 0, stderr: '' });
    for (const [dir, line] of [
      ['nowhere', /there is no folder 'nowhere'\. Give the folder/],
      ['agent.mjs', /'agent\.mjs' is no folder\. Give the folder/],
      [`${TRACES}/new.sftrace`, /is a bundle itself\. Run 'stepfork inspect' on it/],
    ] as const) {
      const { exitCode, stdout, stderr } = await run('list', dir);
      expect(stderr).toMatch(line);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    }
  });

  it.each([
    ['--since', 'yesterday', /'--since' needs a span or a time, not 'yesterday'\. Write it as 2d/],
    ['--limit', '0', /'--limit' needs a whole number above 0, not '0'/],
    ['--tag', 'release', /'--tag' must read <name>=<value>, not 'release'/],
  ])('refuses %s %s, exit 2', async (flag, value, line) => {
    const { exitCode, stderr } = await run('list', flag, value);
    expect(stderr).toMatch(line);
    expect(exitCode).toBe(2);
  });

  it('looks at manifests alone, of however many bundles', async () => {
    const count = process.env.STEPFORK_FULL === '1' ? 10_000 : 1000;
    const many = project.path(`many/${TRACES}`);
    fillFolder(many, count);
    const { stdout } = await commandLineIn(project.path('many'))('list', '--json', '--limit', '2');
    const newest = String(count - 1).padStart(8, '0');
    expect(JSON.parse(stdout)).toMatchObject({ total: count, runs: [{ short_id: newest }, {}], unreadable: [] });
    const latest = await commandLineIn(project.path('many'))('keep', 'latest');
    expect(latest.stdout).toContain(`kept: run_${newest} `);
  }, 120_000);
});

describe('stepfork list, in a folder that may hold anything', () => {
  beforeAll(() => {
    const folder = project.path('hostile');
    const manifest = project.read(`${TRACES}/new.sftrace/manifest.json`);
    const bundle = (name: string, text: string): void => project.write(`hostile/${name}.sftrace/manifest.json`, text);
    saveRun(folder, 'good', { agentName: 'good', runId: runId('d') });
    bundle('huge', `"${'x'.repeat(300_000)}"`);
    bundle('list', '[]');
    bundle('text', 'not JSON');
    bundle('deep', '['.repeat(100_000));
    bundle('other', manifest.replace('"0.1"', '"9.9\\u001b[2J"'));
    bundle('nameless', manifest.replace(/"agent_name": "[^"]+"/, '"agent_name": ""'));
    bundle('timeless', manifest.replace(/"created_at": "[^"]+"/, '"created_at": "soon"'));
    bundle(
      'proto',
      manifest
        .replace('"agent_name"', '"__proto__": {"x": 1}, "agent_name"')
        .replace('notify', '\\u001b]0;owned\\u0007\\u202e'),
    );
    bundle('\u001b[31mred', '{}');
    mkdirSync(project.path('hostile/bare.sftrace'));
    mkdirSync(project.path('hostile/folder.sftrace/manifest.json'), { recursive: true });
    writeFileSync(project.path('hostile/file.sftrace'), 'stepfork-pack/1\nmanifest.json 99999999999 x\n');
    symlinkSync('loop.sftrace', project.path('hostile/loop.sftrace'));
    symlinkSync(folder, project.path('hostile/self.sftrace'));
    symlinkSync('/nowhere', project.path('hostile/dangling.sftrace'));
    mkdirSync(project.path('hostile/linked.sftrace'));
    symlinkSync('/etc/passwd', project.path('hostile/linked.sftrace/manifest.json'));
  });

  it('lists what is a bundle, and every other on a line with the reason', async () => {
    const { exitCode, stdout, stderr } = await run('list', 'hostile');
    expect(stdout + stderr).not.toMatch(DRIVES_TERMINAL);
    const [, ...lines] = stdout.trimEnd().split('\n');
    expect(
      lines
        .slice(0, 2)
        .map((line) => line.split(/ {2,}/)[1])
        .sort(),
    ).toEqual(['\\u001b]0;owned\\u0007\\u202e', 'good']);
    expect(
      lines
        .slice(2)
        .map((line) => line.replace('unreadable: hostile/', ''))
        .join('\n'),
    ).toBe(
      `\\u001b[31mred.sftrace: it has no schema version; this release reads 0.1
bare.sftrace: it has no manifest.json
dangling.sftrace: it leads to nothing
deep.sftrace: its manifest.json is no JSON object
file.sftrace: it is no packed bundle
folder.sftrace: its manifest.json is no regular file
huge.sftrace: its manifest.json is 300002 bytes long, which no recording's is
linked.sftrace: its manifest.json is a link
list.sftrace: its manifest.json is no JSON object
loop.sftrace: it leads to nothing
nameless.sftrace: the 'agent_name' of its manifest.json is not what the format allows
other.sftrace: it has schema version '9.9\\u001b[2J'; this release reads 0.1
self.sftrace: it has no manifest.json
text.sftrace: its manifest.json is no JSON object
timeless.sftrace: the 'created_at' of its manifest.json is not what the format allows`,
    );
    expect(exitCode).toBe(0);
  });

  it('says the same in its document', async () => {
    const { stdout } = await run('list', 'hostile', '--json');
    expect(stdout).not.toMatch(DRIVES_TERMINAL);
    const document = JSON.parse(stdout) as { runs: object[]; unreadable: object[] };
    expect(document.runs).toHaveLength(2);
    expect(document.unreadable).toHaveLength(15);
    expect(document.unreadable).toContainEqual({ bundle: 'hostile/bare.sftrace', message: 'it has no manifest.json' });
  });
});
