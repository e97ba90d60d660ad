import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTrace, validateBundle, verifyIntegrity } from '../../src/index.js';
import { createTrace } from '../../src/write.js';
import { sealOf, temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { HEADER, writeTrace } from '../support/sealed.js';

/** A bundle with an integrity record; `change` may rewrite the record. */
function sealedBundle(change: (record: Record<string, unknown>) => unknown = (record) => record): string {
  const path = writeFiles();
  writeFileSync(join(path, 'integrity.json'), JSON.stringify(change({ ...sealOf(path) })));
  return path;
}

const found = (path: string): [string, (string | null)[][]] => {
  const { status, issues } = verifyIntegrity(path);
  return [status, issues.map((issue) => [issue.code, issue.location])];
};

describe('integrity.json', () => {
  it('B117 verifies a fresh bundle', () => {
    expect(found(sealedBundle())).toEqual(['verified', []]);
  });

  it('B118 names every file of which a byte was changed', () => {
    const path = sealedBundle();
    appendFileSync(join(path, 'manifest.json'), ' ');
    expect(found(path)).toEqual(['mismatch', [['integrity_mismatch', 'manifest.json']]]);
    appendFileSync(join(path, 'redactions.json'), ' ');
    expect(found(path)[1]).toHaveLength(2);
  });

  it('B119 B151 calls a bundle without one unverified_legacy; it loads, and is invalid when integrity is asked for', () => {
    const path = writeFiles();
    expect(found(path)).toEqual(['unverified_legacy', [['integrity_unverified', 'integrity.json']]]);
    expect(loadTrace(path).events).toHaveLength(4);
    expect(validateBundle(path).valid).toBe(true);
    expect(validateBundle(path, { verifyIntegrity: true })).toMatchObject({
      valid: false,
      integrity: 'unverified_legacy',
    });
  });

  it.each<[string, (record: Record<string, unknown>) => unknown]>([
    ['is not an object', () => [1]],
    ['has an extra key', (record) => ({ ...record, signed: true })],
    ['has another schema version', (record) => ({ ...record, schema_version: '0.2' })],
    ['has files that are no object', (record) => ({ ...record, files: null })],
    ['has an algorithm that is no text', (record) => ({ ...record, algorithm: 256 })],
  ])('B120 reports a record that %s', (_title, change) => {
    expect(found(sealedBundle(change))).toEqual(['mismatch', [['integrity_metadata_invalid', 'integrity.json']]]);
  });

  it('B120 reports a record that is not JSON, or a folder', () => {
    const path = sealedBundle();
    writeFileSync(join(path, 'integrity.json'), '{');
    expect(found(path)[1]).toEqual([['integrity_metadata_invalid', 'integrity.json']]);
    rmSync(join(path, 'integrity.json'));
    mkdirSync(join(path, 'integrity.json'));
    expect(found(path)[1]).toEqual([['integrity_metadata_invalid', 'integrity.json']]);
  });

  it('B121 B122 B124 reports a digest that is missing or misspelt on its file, and hashes nothing then', () => {
    const without = sealedBundle((record) => ({ ...record, files: withDigest(record, 'events.jsonl', undefined) }));
    appendFileSync(join(without, 'manifest.json'), ' ');
    expect(found(without)).toEqual(['mismatch', [['integrity_metadata_invalid', 'events.jsonl']]]);
    for (const digest of ['A'.repeat(64), 'abc', 5, null]) {
      const path = sealedBundle((record) => ({ ...record, files: withDigest(record, 'manifest.json', digest) }));
      expect(found(path)[1]).toEqual([['integrity_metadata_invalid', 'manifest.json']]);
    }
  });

  it('B123 reports another algorithm, before anything else', () => {
    const path = sealedBundle(() => ({ algorithm: 'md5', extra: 1 }));
    expect(found(path)).toEqual(['mismatch', [['integrity_algorithm_unsupported', 'integrity.json']]]);
  });

  it('B125 reports a file that is absent, and checks the others', () => {
    const path = sealedBundle();
    rmSync(join(path, 'redactions.json'));
    appendFileSync(join(path, 'manifest.json'), ' ');
    expect(found(path)[1]).toEqual([
      ['integrity_mismatch', 'manifest.json'],
      ['missing_file', 'redactions.json'],
    ]);
  });

  it('B126 ignores other names', () => {
    const path = sealedBundle((record) => ({ ...record, files: withDigest(record, '../../etc/passwd', 'x') }));
    expect(found(path)).toEqual(['verified', []]);
  });

  it('B127 fills in version and algorithm; without files all digests are missing', () => {
    expect(found(sealedBundle(({ files }) => ({ files })))).toEqual(['verified', []]);
    expect(found(sealedBundle(() => ({})))[1]).toEqual([
      ['integrity_metadata_invalid', 'manifest.json'],
      ['integrity_metadata_invalid', 'events.jsonl'],
      ['integrity_metadata_invalid', 'redactions.json'],
    ]);
  });

  it('B128 writes nothing', () => {
    const path = sealedBundle();
    const state = (): unknown => readdirSync(path).map((name) => [name, statSync(join(path, name)).mtimeMs]);
    const before = state();
    verifyIntegrity(path);
    validateBundle(path, { verifyIntegrity: true });
    expect(state()).toEqual(before);
  });

  it('B129 is over exact bytes: a re-indented manifest is another one', () => {
    const path = sealedBundle();
    const manifest = join(path, 'manifest.json');
    writeFileSync(manifest, JSON.stringify(JSON.parse(readFileSync(manifest, 'utf8')), null, 4));
    expect(found(path)[1]).toEqual([['integrity_mismatch', 'manifest.json']]);
  });
});

describe('runtime.jsonl', () => {
  const recorded = (): string => {
    const trace = createTrace({ agentName: 'a' });
    return writeTrace(trace, join(temporaryFolder(), 'a.sftrace'), { runtime: HEADER });
  };

  it('is sealed with the rest', () => {
    const path = recorded();
    expect(found(path)).toEqual(['verified', []]);
    appendFileSync(join(path, 'runtime.jsonl'), '\n');
    expect(found(path)).toEqual(['mismatch', [['integrity_mismatch', 'runtime.jsonl']]]);
    rmSync(join(path, 'runtime.jsonl'));
    expect(found(path)).toEqual(['mismatch', [['missing_file', 'runtime.jsonl']]]);
  });

  it('cannot be slipped into a sealed bundle', () => {
    const path = sealedBundle();
    writeFileSync(join(path, 'runtime.jsonl'), 'a file of somebody else\n');
    expect(found(path)).toEqual(['verified', []]);
    writeFileSync(join(path, 'runtime.jsonl'), `${JSON.stringify(HEADER)}\n`);
    expect(found(path)).toEqual(['mismatch', [['integrity_mismatch', 'runtime.jsonl']]]);
  });
});

function withDigest(record: Record<string, unknown>, name: string, digest: unknown): unknown {
  return { ...(record.files as object), [name]: digest };
}
