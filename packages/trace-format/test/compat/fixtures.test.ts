import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadTrace, pairCalls, summarizeTrace, validateBundle } from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { FIXTURES } from './fixtures.js';

const folder = fileURLToPath(new URL('../../fixtures/0.1/', import.meta.url));

/** File names to contents. */
const contents = (bundle: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(bundle, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
  );

/**
 * Fixtures are never changed once released. A new one is made by `STEPFORK_FIXTURES=1`, which writes those that are
 * missing.
 */
function writeMissing(name: string): void {
  const path = join(folder, name);
  if (process.env.STEPFORK_FIXTURES !== '1' || existsSync(path)) return;
  mkdirSync(folder, { recursive: true });
  FIXTURES[name]?.(path);
  rmSync(join(folder, 'recording'), { recursive: true, force: true });
}

describe('bundles that this package wrote', () => {
  it.each(Object.keys(FIXTURES))('are written today byte for byte as then: %s', (name) => {
    writeMissing(name);
    const path = join(temporaryFolder(), name);
    FIXTURES[name]?.(path);
    expect(contents(path)).toEqual(contents(join(folder, name)));
  });

  it.each(Object.keys(FIXTURES))('load, validate and verify: %s', (name) => {
    const isWhole = !name.includes('.partial.');
    const result = validateBundle(join(folder, name), {
      strict: /^(every|blobs|conversation)/.test(name),
      verifyIntegrity: isWhole,
    });
    expect(result).toEqual({ valid: true, issues: [], integrity: isWhole ? 'verified' : 'not_checked' });
  });

  it('hold every event type, summed up', () => {
    const trace = loadTrace(join(folder, 'every_event.sftrace'));
    expect(new Set(trace.events.map((event) => event.type)).size).toBe(8);
    expect(pairCalls(trace.events).map(({ name, frame, outcome }) => [name, frame, outcome?.type])).toEqual([
      ['gpt-test', null, 'returned'],
      ['plan', null, 'returned'],
      ['clock', 1, 'returned'],
      ['flight_search', null, 'threw'],
    ]);
    expect(summarizeTrace(trace)).toMatchObject({
      status: 'failed',
      calls: { tool: 3, llm: 1, failed: 1, open: 0 },
      tokens: { prompt: 10, completion: 5, total: 15 },
      errors: 1,
      redactions: 1,
      placeholders: 1,
      input: { destination: 'Lisbon' },
      tags: { requestId: 'r1' },
    });
  });
});
