import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';

const SECRET = 'sk-abcdefgh12345678';
let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'clean.sftrace');
  await project.record('runAgent', 'leaky.sftrace');
  // As if by a recorder that knew no rule for it.
  const events = project.read('leaky.sftrace/events.jsonl').replaceAll('FedEx', SECRET);
  writeFileSync(project.path('leaky.sftrace/events.jsonl'), events.replace('"status":"shipped"', `"${SECRET}":1`));
  project.write('leaky.sftrace/notes.txt', `first line\n${SECRET}\n`);
}, 120_000);
afterAll(() => project?.remove());

const scan = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)('scan', ...argv);

describe('stepfork scan', () => {
  it('finds nothing in what was recorded under the rules, exit 0', async () => {
    const answer = await scan('clean.sftrace');
    expect(answer).toEqual({ exitCode: 0, stdout: 'clean.sftrace: no secret found\n', stderr: '' });
    expect(JSON.parse((await scan('clean.sftrace', '--json')).stdout)).toEqual({
      schema: 'stepfork.scan/1',
      bundle: 'clean.sftrace',
      clean: true,
      findings: [],
    });
  });

  it('names file, line, pointer and rule of what it finds, and never the secret, exit 1', async () => {
    const { exitCode, stdout, stderr } = await scan('leaky.sftrace');
    expect(stdout).toMatch(/^leaky\.sftrace: \d+ findings\n/);
    expect(stdout).toMatch(/^ {2}events\.jsonl:3 {2}\/output\/carrier {2}[\w-]+$/m);
    expect(stdout).toMatch(/^ {2}events\.jsonl:3 {2}\/output\/\[REDACTED\] {2}[\w-]+$/m);
    expect(stdout).toMatch(/^ {2}notes\.txt:2 {2}[\w-]+$/m);
    expect(stdout).not.toContain('sk-abcdefgh');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
  });

  it('prints one document with --json, without the secret, exit 1', async () => {
    const { exitCode, stdout } = await scan('leaky.sftrace', '--json');
    const document = JSON.parse(stdout) as { findings: object[] };
    expect(document).toMatchObject({ schema: 'stepfork.scan/1', bundle: 'leaky.sftrace', clean: false });
    expect(document.findings).toContainEqual({
      file: 'events.jsonl',
      line: 3,
      path: '/output/carrier',
      rule: expect.any(String),
      event_id: expect.stringMatching(/^evt_/),
    });
    expect(document.findings).toContainEqual({
      file: 'notes.txt',
      line: 2,
      path: null,
      rule: expect.any(String),
      event_id: null,
    });
    expect(stdout).not.toContain('sk-abcdefgh');
    expect(exitCode).toBe(1);
  });

  it('looks at a bundle that is broken, or packed, as well', async () => {
    await project.record('runAgent', 'broken.sftrace');
    rmSync(project.path('broken.sftrace/manifest.json'));
    project.write('broken.sftrace/events.jsonl', `{ torn ${SECRET}`);
    expect((await scan('broken.sftrace')).stdout).toMatch(/^ {2}events\.jsonl:1 {2}[\w-]+$/m);
    await commandLineIn(project.folder)('pack', 'clean.sftrace');
    expect((await scan('clean.packed.sftrace')).exitCode).toBe(0);
  });

  it('refuses what it cannot read in one line, exit 2', async () => {
    const { exitCode, stdout, stderr } = await scan('nowhere.sftrace');
    expect(stderr).toMatch(/^stepfork: nowhere\.sftrace: there is no such bundle\. Give the path of [^\n]+\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(JSON.parse((await scan('nowhere.sftrace', '--json')).stdout)).toMatchObject({ error: 'missing_bundle' });
  });
});
