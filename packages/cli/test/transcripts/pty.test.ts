import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt, WHILE_READING } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { HAS_PTY, inTerminal, plain, type Screen } from '../support/pty.js';

const CSI = `${String.fromCharCode(27)}[`;
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  await project.record('fixed', 'fixed.sftrace');
  for (const name of ['one', 'two', 'three']) await project.record('runAgent', `traces/${name}.sftrace`);
  const { record } = await project.recorder();
  const output = project.path('.stepfork/traces/lost.sftrace');
  await record('travel-agent-of-a-long-name', { output, tags: { release: '1.4', team: 'travel' } }, () => {
    throw new RangeError('no flight goes to Atlantis, nor does any ship or train that is known to anybody');
  }).catch(() => {});
  const run = commandLineIn(project.folder);
  await run('pack', output, '--output', '.stepfork/traces/lost.packed.sftrace');
  await run('keep', output);
  project.write(
    'slow.mjs',
    `import { setTimeout as sleep } from 'node:timers/promises';
import { runAgent } from './agent.mjs';
export const run = async (order) => { await sleep(1100); return runAgent(order); };
`,
  );
}, 120_000);
afterAll(() => project?.remove());

const screen = (argv: readonly string[], columns: number, env: NodeJS.ProcessEnv = {}): Promise<Screen> =>
  inTerminal(project.folder, argv, { columns, env });
const widest = (output: string): number =>
  Math.max(
    ...plain(output)
      .split('\n')
      .map((line) => line.length),
  );

// Where there is nothing that gives a program a terminal, there is nothing to see.
const terminals = HAS_PTY ? ['a terminal'] : [];

describe.each(terminals)('%s', () => {
  it.each([
    ['list', 'traces'],
    ['inspect', 'failure.sftrace'],
    ['diff', 'failure.sftrace', 'fixed.sftrace'],
    ['validate', 'failure.sftrace'],
  ])('has colours and the same text: %s', async (...argv) => {
    const { output } = await screen(argv, 200);
    expect(output).toContain(CSI);
    const { stdout, stderr } = await commandLineIn(project.folder)(...argv);
    const words = (text: string): readonly string[] =>
      text
        .replaceAll(/━+|\d+ (?:s|min|ms)\b/g, '')
        .split(/\s+/)
        .filter((word) => word !== '');
    expect(words(plain(output))).toEqual(words(stdout + stderr));
  });

  it.each<[environment: NodeJS.ProcessEnv, isColoured: boolean]>([
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
    [{ CI: '1' }, true],
  ])('has colours as %j says', async (environment, isColoured) => {
    const { output } = await screen(['inspect', 'failure.sftrace'], 200, environment);
    expect(output.includes(CSI)).toBe(isColoured);
  });

  // The narrowest that has bars, and one that has none.
  it.each([60, 90])('is not exceeded at %d columns', async (columns) => {
    const shown = [
      ['list', 'traces'],
      ['inspect', 'failure.sftrace'],
      ['inspect', 'failure.sftrace', '--step', '4'],
      ['diff', 'failure.sftrace', 'fixed.sftrace'],
      ['replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:drifted'],
    ].map(async (argv) => ({ argv, output: (await screen(argv, columns)).output }));
    for (const { argv, output } of await Promise.all(shown)) {
      expect(widest(output), argv.join(' ')).toBeLessThanOrEqual(columns);
    }
  });

  it.each([36, 45, 60, 80, 100, 140])(
    'shows the marks of runs at %d columns, and no line is wider',
    async (columns) => {
      const { output } = await screen(['list'], columns);
      expect(widest(output), plain(output)).toBeLessThanOrEqual(columns);
      const pruned = await screen(['prune', 'traces', '--keep-last', '0'], columns);
      expect(widest(pruned.output), plain(pruned.output)).toBeLessThanOrEqual(columns);
      expect(plain(output)).toContain('(kept)');
      expect(plain(output)).toContain('(packed)');
      expect(plain(output).includes('no flight goes')).toBe(columns >= 100);
      expect(plain(output).includes('SIZE')).toBe(columns >= 140);
    },
  );

  it('has a bar beside each outcome where it is wide enough', async () => {
    const [wide, narrow] = await Promise.all(
      [120, 80].map((columns) => screen(['inspect', 'failure.sftrace'], columns)),
    );
    expect(plain(wide?.output ?? '')).toMatch(/^ 2 {2} *━+ +← returned/m);
    expect(plain(narrow?.output ?? '━')).not.toContain('━');
  });

  it('shows how far long work is, and takes that away again', async () => {
    const { exitCode, output } = await screen(['replay', 'traces', '--entrypoint', 'slow.mjs:run'], 100);
    expect(output).toMatch(/\d of 3 replayed/);
    const lines = output.split('\n').map((line) => plain(line.split(`${CSI}K`).at(-1) ?? '').trimEnd());
    expect(lines.filter((line) => line !== '')).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^matched +\w+ {2}notify-agent$/) as string),
      '3 replayed: 3 matched',
    ]);
    expect(exitCode).toBe(0);
  });

  it('shows for how long a large bundle is read, and takes that away again', async () => {
    project.write('large.sftrace', 'x'.repeat(3_000_000));
    project.write(
      'busy.mjs',
      `import { whileReading } from ${JSON.stringify(pathToFileURL(WHILE_READING).href)};
const read = (until) => { while (Date.now() < until); return 'read\\n'; };
process.stdout.write(await whileReading(['large.sftrace'], () => read(Date.now() + 2500)));
`,
    );
    const { output } = await inTerminal(project.folder, [], { program: project.path('busy.mjs') });
    expect(output).toContain(`\r${CSI}Kreading large.sftrace: 1 s`);
    expect(output.split(`${CSI}K`).at(-1)).toBe('read\n');
  });

  it('ends a replay by Ctrl-C with 130', async () => {
    const argv = ['replay', 'failure.sftrace', '--entrypoint', 'agent.mjs:hanging'];
    const { exitCode, output } = await inTerminal(project.folder, argv, {
      typed: { after: 'hanging', text: String.fromCharCode(3) },
    });
    expect(exitCode).toBe(130);
    expect(output).not.toMatch(/at .*\.js/);
  });
});
