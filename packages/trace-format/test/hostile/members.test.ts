import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTrace, validateBundle } from '../../src/index.js';
import { writeFiles } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';

describe('members of a bundle', () => {
  /** Puts a link where events.jsonl was. */
  const linked = (target: string): string => {
    const bundle = writeFiles();
    writeFileSync(join(dirname(bundle), 'outside.jsonl'), '');
    writeFileSync(join(bundle, 'inside.jsonl'), '');
    rmSync(join(bundle, 'events.jsonl'));
    symlinkSync(target, join(bundle, 'events.jsonl'));
    return bundle;
  };

  it.each(['../outside.jsonl', '/proc/version', '/dev/zero', '..'])(
    'are refused as links that leave it: %s',
    (target) => {
      const bundle = linked(target);
      expect(refusal(() => loadTrace(bundle))).toMatchObject({ code: 'missing_file' });
      expect(refusal(() => loadTrace(bundle))?.message).toMatch(/events\.jsonl is (a link that leaves|not a regular)/);
      expect(validateBundle(bundle).issues).toMatchObject([{ code: 'missing_file', location: 'events.jsonl' }]);
    },
  );

  it('may be links that stay inside', () => {
    expect(loadTrace(linked('inside.jsonl')).events).toEqual([]);
  });

  it.each(['events.jsonl', '/nowhere'])('are refused as links that lead nowhere: %s', (target) => {
    expect(['missing_file', 'read_failed']).toContain(refusal(() => loadTrace(linked(target)))?.code);
  });

  it('are refused as pipes, without waiting for a writer', () => {
    const bundle = writeFiles();
    rmSync(join(bundle, 'events.jsonl'));
    // Where there is no mkfifo, a directory stands in for what is no regular file.
    execFileSync(existsSync('/usr/bin/mkfifo') ? 'mkfifo' : 'mkdir', [join(bundle, 'events.jsonl')]);
    expect(refusal(() => loadTrace(bundle))?.message).toContain('is not a regular file');
  });

  it('may be read through a link to the bundle itself', () => {
    const bundle = writeFiles();
    const link = join(dirname(bundle), 'link.sftrace');
    symlinkSync(bundle, link);
    expect(loadTrace(link).events).toHaveLength(4);
  });
});
