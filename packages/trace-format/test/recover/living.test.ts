import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  createTrace,
  loadTrace,
  openBundle,
  packBundle,
  recoverBundle,
  unpackBundle,
  validateBundle,
} from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { everyEvent } from '../support/every-event.js';
import { refusal } from '../support/refusal.js';
import { HEADER, sealed, sealedManifest, writeTrace } from '../support/sealed.js';

const buildFolder = mkdtempSync(join(tmpdir(), 'stepfork-living-'));

beforeAll(async () => {
  await build({
    entry: [fileURLToPath(new URL('./holding-child.ts', import.meta.url))],
    outDir: buildFolder,
    outExtension: () => ({ js: '.mjs' }),
    ...{ format: 'esm', target: 'node20', silent: true, config: false, dts: false },
  });
});

afterAll(() => rmSync(buildFolder, { recursive: true }));

/** A process that writes a bundle and holds it open. */
async function recording(path: string): Promise<{ readonly child: ChildProcess; readonly partial: string }> {
  const child = spawn(process.execPath, [join(buildFolder, 'holding-child.mjs'), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { child, partial: String(said).trim() };
}

describe('a leftover', () => {
  it('is not taken from a process that still writes it, and is recovered once that has died', async () => {
    const { child, partial } = await recording(join(temporaryFolder(), 'run.sftrace'));
    const refused = refusal(() => recoverBundle(partial));
    expect([refused?.code, refused?.message]).toEqual(['output_busy', expect.stringContaining(`process ${child.pid}`)]);
    expect(existsSync(partial)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { path } = recoverBundle(partial);
    expect(loadTrace(path).events.length).toBeGreaterThan(0);
    expect(readdirSync(path)).not.toContain('.writing');
  });

  it('is whole without a mark where its process ended by itself', async () => {
    const path = join(temporaryFolder(), 'run.sftrace');
    const { child } = await recording(path);
    child.stdin?.end();
    await once(child, 'exit');
    expect(readdirSync(path).sort()).toEqual([
      'events.jsonl',
      'integrity.json',
      'manifest.json',
      'redactions.json',
      'runtime.jsonl',
    ]);
    expect(validateBundle(path, { verifyIntegrity: true }).integrity).toBe('verified');
  });

  const marks: Readonly<Record<string, string>> = {
    'of a process that is gone': JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), start: '1' }),
    'of another machine': JSON.stringify({ pid: process.ppid, host: 'another', start: '' }),
    'that is no mark': '{"pid":"one"}',
    'that is no JSON': '',
  };

  it.each(Object.keys(marks))('is recovered with a mark %s', (name) => {
    const trace = everyEvent();
    const writer = openBundle({
      path: join(temporaryFolder(), 'run.sftrace'),
      manifest: sealedManifest(trace),
      runtime: HEADER,
    });
    for (const event of trace.events) writer.append(sealed(event));
    writer.close();
    expect(readdirSync(writer.workPath)).not.toContain('.writing');
    writeFileSync(join(writer.workPath, '.writing'), marks[name] as string);
    const { path } = recoverBundle(writer.workPath);
    expect(readdirSync(path)).not.toContain('.writing');
  });

  it('of a process whose number another one has now is recovered', () => {
    const trace = createTrace({ agentName: 'a' });
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    const mark = JSON.parse(readFileSync(join(writer.workPath, '.writing'), 'utf8')) as { start: string };
    writer.close();
    // Where the system does not tell when a process began, its number is all there is to go by.
    const other = mark.start === '' ? 2 ** 22 + 1 : process.ppid;
    writeFileSync(join(writer.workPath, '.writing'), JSON.stringify({ ...mark, pid: other, start: `${mark.start}0` }));
    expect(recoverBundle(writer.workPath).path).toMatch(/run\.sftrace$/);
  });
});

describe('what a killed process left behind', () => {
  it('does not keep a bundle from being packed, nor a pack from being unpacked', () => {
    const folder = temporaryFolder();
    const bundle = writeTrace(everyEvent(), join(folder, 'run.sftrace'));
    for (const pid of ['', `.${process.pid}`]) writeFileSync(join(folder, `run.packed.sftrace${pid}.new`), 'half');
    const packed = packBundle(bundle);
    for (const pid of ['', `.${process.pid}`])
      mkdirSync(join(folder, `copy.sftrace${pid}.new`, 'half'), { recursive: true });
    expect(loadTrace(unpackBundle(packed, join(folder, 'copy.sftrace')))).toEqual(loadTrace(bundle));
    expect(readdirSync(folder).filter((name) => name.endsWith(`${process.pid}.new`))).toEqual([]);
    rmSync(packed);
  });
});

describe('a place that cannot be made', () => {
  it('is refused, not tried for ever', () => {
    const trace = createTrace({ agentName: 'a' });
    const path = process.platform === 'linux' ? '/proc/self/nope/run.sftrace' : '/dev/null/nope/run.sftrace';
    expect(refusal(() => openBundle({ path, manifest: sealedManifest(trace) }))?.code).toBe('write_failed');
  });
});
