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
  await project.record('throwing', 'failed.sftrace');
}, 120_000);
afterAll(() => project?.remove());

const expecting = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)('expect', ...argv);

describe('stepfork expect', () => {
  it('writes the recorded output for a person to edit, and says what to do with it', async () => {
    const { exitCode, stdout, stderr } = await expecting('failure.sftrace', '--output', 'drafts/notify.json');
    expect(stdout).toBe(
      'wrote drafts/notify.json\nit holds what was recorded: edit it to what the agent should have returned, and export with --expect-output drafts/notify.json\n',
    );
    expect(project.read('drafts/notify.json')).toBe(`{
  "carrier": "FedEx",
  "order_id": "ORD-1",
  "should_notify": false,
  "text": "Your order has shipped."
}
`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('writes no file in the place of a folder', async () => {
    const { exitCode, stderr } = await expecting('failure.sftrace', '--output', '.');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/is a folder: name the file to write with --output/)]);
  });

  it('keeps what a person made of it, exit 1, unless told to replace it', async () => {
    expect(await expecting('failure.sftrace', '--output', 'mine.json')).toMatchObject({ exitCode: 0 });
    const again = await expecting('failure.sftrace', '--output', 'mine.json');
    expect(again.stdout).toMatch(/^unchanged: mine\.json$/m);
    project.write('mine.json', '{ "should_notify": true }\n');
    const refused = await expecting('failure.sftrace', '--output', 'mine.json');
    expect(refused.stderr).toMatch(/^stepfork: mine\.json exists and says something else: pass --overwrite[^\n]*\n$/);
    expect(refused.exitCode).toBe(1);
    expect(project.read('mine.json')).toBe('{ "should_notify": true }\n');
    await expecting('failure.sftrace', '--output', 'mine.json', '--overwrite');
    expect(project.read('mine.json')).toContain('"should_notify": false');
  });

  it('says so of a run that returned nothing because it failed, exit 2', async () => {
    const { exitCode, stdout, stderr } = await expecting('failed.sftrace', '--output', 'none.json');
    expect(stderr).toBe(
      "stepfork: the run in 'failed.sftrace' failed with TypeError, so that there is no output to edit. Write a file with what it should have returned, or export with --expect-error.\n",
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });
});
