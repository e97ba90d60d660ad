import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdOutput } from './hold-output.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork hold '));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('holdOutput', () => {
  it('refuses a place that is held, by whatever path it is named, until it is free', () => {
    const release = holdOutput(join(folder, 'a.sftrace'));
    symlinkSync(folder, join(folder, 'link'));
    expect(() => holdOutput(join(folder, 'link', 'a.sftrace'))).toThrow(`process ${process.pid} of Stepfork`);
    holdOutput(join(folder, 'b.sftrace'))();
    release();
    holdOutput(join(folder, 'a.sftrace'))();
    expect(readdirSync(folder)).toEqual(['link']);
  });

  it('takes over what a killed process left', () => {
    const release = holdOutput(join(folder, 'a.sftrace'));
    const [file = ''] = readdirSync(folder);
    release();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(join(folder, file), String(pid));
    holdOutput(join(folder, 'a.sftrace'))();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps nobody from recording where it can write nothing', () => {
    vi.stubEnv('TMPDIR', join(folder, 'none'));
    expect(() => holdOutput(join(folder, 'a.sftrace'))()).not.toThrow();
  });
});
