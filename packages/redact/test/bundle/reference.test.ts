import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEvents, validateBundle } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { scanBundle, scrubBundle } from '../../src/bundle.js';
import { freshPath } from './folder.js';

const reference = fileURLToPath(new URL('../../../../../shared/reference/bundles', import.meta.url));
const names = existsSync(reference) ? readdirSync(reference).filter((name) => name.endsWith('.sftrace')) : [];

describe('the bundles of the Python original, where they are at hand', () => {
  it('hold nothing that its own rules find', () => {
    expect(names.map((name) => scanBundle(join(reference, name), { ruleset: '0.1' }))).toEqual(names.map(() => []));
  });

  it('keep the hashes of their payloads when they are scrubbed, and are sealed', () => {
    for (const name of names) {
      const bundle = freshPath();
      cpSync(join(reference, name), bundle, { recursive: true });
      const hashes = (): unknown[] => [...readEvents(bundle)].map((event) => [event.input_hash, event.output_hash]);
      const before = hashes();
      scrubBundle(bundle, { pointers: [{ event_id: '__manifest__', path: '/agent_name' }], inPlace: true });
      expect(hashes()).toEqual(before);
      expect(validateBundle(bundle, { strict: false, verifyIntegrity: true })).toMatchObject({
        issues: [],
        integrity: 'verified',
      });
    }
  });
});
