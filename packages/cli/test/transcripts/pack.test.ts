import { readFileSync, statSync } from 'node:fs';
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
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);

async function refusal(...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(...argv);
  expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
  expect(stdout).toBe('');
  return `${exitCode} ${stderr}`;
}

describe('stepfork pack and unpack', () => {
  it('writes a bundle as one file, which is taken for a bundle, and as the folder it was, exit 0', async () => {
    expect(await run('pack', 'failure.sftrace')).toEqual({
      exitCode: 0,
      stdout: 'packed failure.sftrace into failure.packed.sftrace\n',
      stderr: '',
    });
    expect(statSync(project.path('failure.packed.sftrace')).isFile()).toBe(true);
    expect((await run('validate', 'failure.packed.sftrace', '--verify-integrity')).stdout).toBe(
      'failure.packed.sftrace: valid\nintegrity: verified\n',
    );
    expect((await run('diff', 'failure.sftrace', 'failure.packed.sftrace')).exitCode).toBe(0);
    expect(await run('unpack', 'failure.packed.sftrace', '--output', 'again.sftrace')).toEqual({
      exitCode: 0,
      stdout: 'unpacked failure.packed.sftrace into again.sftrace\n',
      stderr: '',
    });
    for (const file of ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json', 'runtime.jsonl']) {
      const [was, is] = ['failure', 'again'].map((name) => readFileSync(project.path(`${name}.sftrace/${file}`)));
      expect(is).toEqual(was);
    }
  });

  it('writes to the place that --output names', async () => {
    expect((await run('pack', 'failure.sftrace', '--output', 'one.sftrace')).stdout).toContain('into one.sftrace\n');
    expect((await run('unpack', 'one.sftrace')).stdout).toContain('into one.unpacked.sftrace\n');
  });

  it('leaves alone what lies in the place, exit 1', async () => {
    await run('pack', 'failure.sftrace', '--output', 'taken.sftrace');
    const before = project.read('taken.sftrace');
    const taken = /^1 stepfork: taken\.sftrace exists already; delete it, or name another place\n$/;
    expect(await refusal('pack', 'failure.sftrace', '--output', 'taken.sftrace')).toMatch(taken);
    expect(await refusal('unpack', 'taken.sftrace', '--output', 'taken.sftrace')).toMatch(taken);
    expect(project.read('taken.sftrace')).toBe(before);
  });

  it('refuses what is no bundle, or packed already, or not packed, exit 2, and says what to do', async () => {
    await run('pack', 'failure.sftrace', '--output', 'whole.sftrace');
    project.write('changed.sftrace', project.read('whole.sftrace').replace('FedEx', 'FedUp'));
    for (const [argv, line] of [
      [['pack', 'nowhere.sftrace'], /there is no such bundle\. Give the path of a \.sftrace bundle/],
      [['pack', 'agent.mjs'], /must end in '\.sftrace'\. Give the path of the bundle itself/],
      [['pack', 'failure.sftrace', '--output', 'x.txt'], /x\.txt: the name of a trace bundle must end in/],
      [['pack', 'whole.sftrace'], /whole\.sftrace: not a directory\. /],
      [['unpack', 'failure.sftrace'], /failure\.sftrace is a directory already, no packed bundle\. Use it as it is\./],
      [['unpack', 'nowhere.sftrace'], /there is no such bundle\. /],
      [['unpack', 'changed.sftrace'], /the packed bundle was changed: .*\. Take the file from where it was whole\./],
    ] as const) {
      const told = await refusal(...argv);
      expect(told).toMatch(line);
      expect(told).toMatch(/^2 /);
    }
    expect((await run('validate', 'changed.sftrace', '--verify-integrity')).exitCode).toBe(1);
    project.write('cut.sftrace', project.read('whole.sftrace').slice(0, -9));
    expect(await refusal('validate', 'cut.sftrace')).toMatch(
      /^2 .*the packed bundle was changed: .*\. Take the file from where it was whole\./,
    );
  });
});
