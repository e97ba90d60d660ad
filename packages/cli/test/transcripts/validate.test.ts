import { appendFileSync, cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Agents, createAgents } from '../support/agents.js';
import { ensureBuilt } from '../support/build.js';
import { commandLineIn } from '../support/command-line.js';
import { DRIVES_TERMINAL } from '../support/drives-terminal.js';
import type { Ended } from '../support/stepfork.js';

let project: Agents;

beforeAll(async () => {
  await ensureBuilt();
  project = await createAgents();
  await project.record('runAgent', 'whole.sftrace');
}, 120_000);
afterAll(() => project?.remove());

const validate = (...argv: string[]): Promise<Ended> => commandLineIn(project.folder)('validate', ...argv);

/** A copy of the good bundle with one thing changed. */
function altered(name: string, alter: (file: (name: string) => string) => void): string {
  const bundle = `${name}.sftrace`;
  cpSync(project.path('whole.sftrace'), project.path(bundle), { recursive: true });
  alter((file) => project.path(`${bundle}/${file}`));
  return bundle;
}

/** Exchanges a piece of a file's text. */
function exchange(file: string, from: string | RegExp, to: string): void {
  const name = file.slice(project.folder.length + 1);
  writeFileSync(file, project.read(name).replace(from, to));
}

describe('stepfork validate', () => {
  it('B266 finds a good bundle valid, exit 0', async () => {
    const answer = await validate('whole.sftrace', '--verify-integrity');
    expect(answer).toEqual({ exitCode: 0, stdout: 'whole.sftrace: valid\nintegrity: verified\n', stderr: '' });
    expect((await validate('whole.sftrace')).stdout).toBe(
      'whole.sftrace: valid\nintegrity: not checked (--verify-integrity checks it)\n',
    );
  });

  it('B266 names every issue of an invalid bundle, exit 1', async () => {
    const bundle = altered('steps', (file) => {
      exchange(file('events.jsonl'), '"step":3', '"step":0');
      exchange(file('manifest.json'), /"events": \d+/, '"events": 99');
    });
    const { exitCode, stdout } = await validate(bundle);
    expect(stdout).toContain(`${bundle}: not valid, 2 issues\n`);
    expect(stdout).toMatch(/ {2}\S*.*event_count_mismatch {2}/);
    expect(stdout).toMatch(/step_order {2}/);
    expect(exitCode).toBe(1);
  });

  it('accepts a run that did not start here only with --partial', async () => {
    const bundle = altered('partial', (file) => {
      const [, ...rest] = project.read('whole.sftrace/events.jsonl').split('\n');
      writeFileSync(file('events.jsonl'), rest.join('\n').replace(/"parent_id":"[^"]+"/, '"parent_id":null'));
      exchange(file('manifest.json'), /"events": (\d+)/, '"events": 5');
    });
    expect((await validate(bundle)).stdout).toContain('run_start_count');
    expect((await validate(bundle)).exitCode).toBe(1);
  });

  it('B266 misses an integrity record that was asked for, exit 3', async () => {
    const bundle = altered('legacy', (file) => rmSync(file('integrity.json')));
    expect(await validate(bundle, '--verify-integrity')).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('integrity: not verifiable, the bundle has no integrity.json'),
    });
    expect((await validate(bundle)).exitCode).toBe(0);
    exchange(project.path(`${bundle}/events.jsonl`), '"step":3', '"step":0');
    expect((await validate(bundle, '--verify-integrity')).exitCode).toBe(3);
    appendFileSync(project.path(`${bundle}/events.jsonl`), '{broken\n');
    expect((await validate(bundle, '--verify-integrity')).exitCode).toBe(2);
  });

  it('B267 tells a changed byte by exit 1, and a broken integrity record by exit 2', async () => {
    const changed = altered('changed', (file) => exchange(file('events.jsonl'), 'FedEx', 'FedUp'));
    const { exitCode, stdout } = await validate(changed, '--verify-integrity');
    expect(stdout).toContain('integrity_mismatch');
    expect(stdout).toContain('payload_hash_mismatch');
    expect(stdout).toContain('integrity: mismatch');
    expect(exitCode).toBe(1);
    const broken = altered('broken-record', (file) => writeFileSync(file('integrity.json'), '[]'));
    expect(await validate(broken, '--verify-integrity')).toMatchObject({ exitCode: 2, stdout: '' });
    const foreign = altered('foreign', (file) => exchange(file('integrity.json'), '"sha256"', '"md5"'));
    expect((await validate(foreign, '--verify-integrity')).exitCode).toBe(2);
  });

  it('prints one document with --json, whatever it finds', async () => {
    const good = JSON.parse((await validate('whole.sftrace', '--json')).stdout) as unknown;
    expect(good).toEqual({
      schema: 'stepfork.validate/1',
      bundle: 'whole.sftrace',
      valid: true,
      issues: [],
      integrity: 'not_checked',
    });
    const { exitCode, stdout, stderr } = await validate('nowhere.sftrace', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ valid: false, issues: [{ code: 'missing_file' }] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
  });

  it.each<[what: string, make: () => string, line: RegExp]>([
    [
      'a path that is not there',
      () => 'nowhere.sftrace',
      /nowhere\.sftrace: there is no such bundle\. Give the path of /,
    ],
    ['a folder that is no bundle', () => 'src', /src: manifest\.json is missing/],
    ['a file', () => 'agent.mjs', /agent\.mjs/],
    [
      'a bundle that lacks files',
      () =>
        altered('lacking', (file) => {
          rmSync(file('events.jsonl'));
          rmSync(file('redactions.json'));
        }),
      /events\.jsonl is missing; redactions\.json is missing\. Take the bundle from where it was whole, or run 'stepfork recover'/,
    ],
    [
      'broken JSON',
      () => altered('broken', (file) => exchange(file('events.jsonl'), /\n\{(?=[^\n]*\n\{)/, '\n{{')),
      /events\.jsonl.*2/,
    ],
    [
      'a schema it does not know',
      () =>
        altered('future', (file) =>
          exchange(file('manifest.json'), '"schema_version": "0.1"', '"schema_version": "9.0"'),
        ),
      /9\.0/,
    ],
  ])('B266 refuses %s in one line, exit 2', async (_, make, line) => {
    const { exitCode, stdout, stderr } = await validate(make());
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^stepfork: [^\n]+\n$/);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('never sends what a bundle says to the terminal as it is', async () => {
    const hostile = altered('hostile', (file) => {
      exchange(file('events.jsonl'), /"id":"[^"]+"/, '"id":"\\u001b]0;owned\\u0007"');
      exchange(file('events.jsonl'), /"run_id":"[^"]+"/, '"run_id":"\\u001b[2J\\u202e"');
    });
    const { exitCode, stdout, stderr } = await validate(hostile);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).not.toMatch(DRIVES_TERMINAL);
  });
});

const REFERENCE = fileURLToPath(new URL('../../../../../shared/reference/bundles/', import.meta.url));

if (existsSync(REFERENCE)) {
  describe('the reference bundles', () => {
    it('B152 B266 validates each as documented', async () => {
      for (const [code, name, ...more] of [
        [0, 'successful_run'],
        [0, 'failed_tool_run'],
        [0, 'diff_baseline'],
        [0, 'diff_changed'],
        [0, 'partial_run', '--partial'],
        [3, 'legacy_v01'],
      ] as const) {
        const { exitCode } = await validate(`${REFERENCE}${name}.sftrace`, '--verify-integrity', ...more);
        expect([name, exitCode]).toEqual([name, code]);
      }
      expect((await validate(`${REFERENCE}partial_run.sftrace`)).exitCode).toBe(1);
    });
  });
}
