import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { BIN, ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import type { Ended } from '../support/stepfork.js';

const VALUE = 'Your order has shipped.';
let project: Agents;
let result = '';

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'failure.sftrace');
  const [, , third = ''] = events('failure.sftrace').split('\n');
  result = (JSON.parse(third) as { id: string }).id;
}, 120_000);
afterAll(() => project?.remove());

const run = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)(...argv);
const events = (bundle: string): string => project.read(`${bundle}/events.jsonl`);

function copy(name: string): string {
  cpSync(project.path('failure.sftrace'), project.path(name), { recursive: true });
  return name;
}

describe('stepfork scrub', () => {
  it('removes what stands at the places, in place, and seals the bundle anew, exit 0', async () => {
    const bundle = copy('places.sftrace');
    const places = [`${result}:/output/carrier`, `${result}:/output/status`];
    const { exitCode, stdout, stderr } = await run('scrub', bundle, ...places.flatMap((place) => ['--pointer', place]));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^scrubbed places\.sftrace: \d+ places\n/);
    for (const place of places) expect(stdout).toContain(`  ${place}\n`);
    expect(events(bundle)).toContain('"carrier":"[REDACTED]"');
    expect(events(bundle)).toContain('"status":"[REDACTED]"');
    expect((await run('validate', bundle, '--verify-integrity')).stdout).toContain('integrity: verified');
  });

  it('removes a value that it reads from stdin, into another bundle', async () => {
    const before = events('failure.sftrace');
    const argv = [BIN, 'scrub', 'failure.sftrace', '--value-from-stdin', '--output', 'clean.sftrace'];
    const scrubbed = spawnSync(process.execPath, argv, {
      cwd: project.folder,
      input: `${VALUE}\r\n`,
      encoding: 'utf8',
    });
    expect(scrubbed).toMatchObject({ status: 0, stderr: '' });
    expect(scrubbed.stdout).toMatch(/^scrubbed clean\.sftrace: 2 places\n {2}evt_[0-9a-f]{32}:\/output\/text\n/);
    expect(scrubbed.stdout).not.toContain(VALUE);
    expect(events('clean.sftrace')).not.toContain(VALUE);
    expect(events('failure.sftrace')).toBe(before);
  });

  it.each<[what: string, exitCode: number, argv: string[], input: string, line: RegExp]>([
    ['a value that is not there', 1, ['--value-from-stdin'], 'not in the bundle', /stands nowhere in it\. Check what /],
    [
      'a value too short',
      2,
      ['--value-from-stdin'],
      'FedEx',
      /^stepfork: the text on stdin must be one of 8 to .*; name its places with --pointer/,
    ],
    [
      'an event that is not there',
      2,
      ['--pointer', 'evt_none:/input'],
      '',
      /names no event of the bundle\. Run 'stepfork inspect /,
    ],
    [
      'a bundle in the place',
      1,
      ['--value-from-stdin', '--output', 'taken.sftrace'],
      VALUE,
      /: taken\.sftrace exists already\. Name another place, or leave --output out /,
    ],
  ])('refuses %s in one line, exit %i, and changes nothing', async (_, code, argv, input, line) => {
    if (!existsSync(project.path('taken.sftrace'))) copy('taken.sftrace');
    const before = events('failure.sftrace');
    const answer = await commandLineIn(project.folder, input)('scrub', 'failure.sftrace', ...argv);
    expect(answer.stderr).toMatch(/^stepfork: [^\n]+\n$/);
    expect(answer.stderr).toMatch(line);
    expect(answer).toMatchObject({ exitCode: code, stdout: '' });
    for (const bundle of ['failure.sftrace', 'taken.sftrace']) expect(events(bundle)).toBe(before);
  });

  it('refuses a value that would stay in a file of somebody else’s, exit 1', async () => {
    const bundle = copy('noted.sftrace');
    project.write(`${bundle}/notes.txt`, `He was told: ${VALUE}\n`);
    const { exitCode, stderr } = await commandLineIn(project.folder, VALUE)('scrub', bundle, '--value-from-stdin');
    expect(stderr).toMatch(
      /^stepfork: noted\.sftrace: not scrubbed, since the value also stands in notes\.txt:1, [^\n]+\n$/,
    );
    expect(exitCode).toBe(1);
    expect(events(bundle)).toContain(VALUE);
  });

  it('refuses a bundle that is not what was sealed, exit 2', async () => {
    const bundle = copy('changed.sftrace');
    project.write(`${bundle}/events.jsonl`, events(bundle).replace('FedEx', 'FedUp'));
    const changed = await run('scrub', bundle, '--pointer', `${result}:/output/carrier`);
    expect(changed.stderr).toMatch(
      /not what was sealed: [^\n]*Run 'stepfork validate --verify-integrity' to see all of it\.\n$/,
    );
    expect(changed).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('scrubs a packed bundle as well', async () => {
    await run('pack', 'failure.sftrace', '--output', 'one.sftrace');
    const packed = await run('scrub', 'one.sftrace', '--pointer', `${result}:/output/carrier`);
    expect(packed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(project.read('one.sftrace')).toContain('"carrier":"[REDACTED]"');
  });
});
