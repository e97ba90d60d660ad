import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadTrace, pairCalls, validateBundle, validateTrace } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { writeTrace } from '../support/sealed.js';

/** Bundles recorded by the original, where they lie beside the repository. */
const folder = fileURLToPath(new URL('../../../../../shared/reference/bundles/', import.meta.url));
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sftrace')) : [];

describe('bundles recorded by the original', () => {
  it.each(names)('B001 B010 B023 B117 B119 load, and verify as they should: %s', (name) => {
    const path = join(folder, name);
    const trace = loadTrace(path);
    expect(trace.events).toHaveLength(trace.totals.events);
    expect(validateTrace(trace, { strict: false, verifyPayloads: true })).toMatchObject({ valid: true });
    const isLegacy = name.startsWith('legacy');
    expect(validateBundle(path, { strict: false, verifyIntegrity: true })).toMatchObject({
      valid: !isLegacy,
      issues: isLegacy ? [{ code: 'integrity_unverified', location: 'integrity.json' }] : [],
      integrity: isLegacy ? 'unverified_legacy' : 'verified',
    });
  });

  it.each(names)('B094 B105 B106 are written again with the same events and hashes: %s', (name) => {
    const trace = loadTrace(join(folder, name));
    const again = writeTrace(trace, join(temporaryFolder(), name));
    expect(loadTrace(again)).toEqual(trace);
    expect(validateBundle(again, { strict: false, verifyIntegrity: true })).toMatchObject({ valid: true });
  });

  it.each(names.filter((name) => name.startsWith('partial')))('B152 a partial one lacks its run_start: %s', (name) => {
    const result = validateBundle(join(folder, name), { verifyIntegrity: true });
    expect(result).toMatchObject({ integrity: 'verified', issues: [{ code: 'run_start_count' }] });
  });

  it.each(names.filter((name) => name.startsWith('failed_tool')))(
    'B187 B192 a failed tool names its error: %s',
    (name) => {
      expect(pairCalls(loadTrace(join(folder, name)).events)).toMatchObject([
        { name: 'flight_search', outcome: { type: 'threw', errorType: 'ToolTimeout', details: { retryable: true } } },
      ]);
    },
  );

  it('are looked for', () => {
    expect([0, 6]).toContain(names.length);
  });
});
