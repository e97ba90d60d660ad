import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/bundle/documents-reader.js';
import { bundleEvents, bundleShapes } from '../../src/bundle/events-reader.js';
import { openBundleMembers } from '../../src/bundle/open-members.js';
import { isStepforkError, type TraceEvent, type ValidationIssue, validateBundle } from '../../src/index.js';
import { checkPayloadHashes } from '../../src/validate/payload-hashes.js';
import { StructureCheck } from '../../src/validate/structure.js';
import { mutate } from '../hostile/mutation.js';
import { writeBlobsAndStreams } from '../support/blobs-and-streams.js';
import { quickFolder } from '../support/bundle-files.js';
import { writeConversation } from '../support/conversation.js';
import { everyEvent } from '../support/every-event.js';
import { Random } from '../support/random.js';
import { HEADER, writeTrace } from '../support/sealed.js';

const ROUNDS = process.env.STEPFORK_FULL === '1' ? 10_000 : 600;

/** What the events tell when each line is parsed as a whole, numbers exact, and every payload is printed again. */
function slowIssues(path: string): readonly ValidationIssue[] | string {
  try {
    const members = openBundleMembers(path);
    const { manifest, schema } = readManifest(members);
    const structure = new StructureCheck(manifest, { strict: true, count: true });
    for (const { event } of bundleEvents(members, schema)) structure.add(event, checkPayloadHashes(event, null));
    return structure.issues();
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return `${error.code} ${String(error.details.line)}`;
  }
}

function fastIssues(path: string): readonly ValidationIssue[] | string {
  try {
    const members = openBundleMembers(path);
    const { manifest, schema } = readManifest(members);
    const structure = new StructureCheck(manifest, { strict: true, count: true });
    for (const read of bundleShapes(members, schema)) structure.add(read.event, checkPayloadHashes(read.event, read));
    return structure.issues();
  } catch (error) {
    if (!isStepforkError(error)) throw error;
    return `${error.code} ${String(error.details.line)}`;
  }
}

/** Ids and times that are missing are filled in with fresh ones. */
const comparable = (issues: readonly ValidationIssue[] | string): unknown =>
  typeof issues === 'string' ? issues : issues.map(({ code, step, location }) => [code, step, location]);

describe('reading lines without parsing their payloads', () => {
  const bases: Readonly<Record<string, (path: string) => string>> = {
    'every event': (path) => writeTrace(everyEvent(), path, { runtime: HEADER }),
    'blobs and streams': writeBlobsAndStreams,
    'requests that repeat': writeConversation,
  };

  it.each(Object.keys(bases))('finds what parsing them would find, in a mutated bundle of %s', (name) => {
    const folder = quickFolder();
    const base = bases[name]?.(join(folder, 'base.sftrace')) as string;
    const bundle = join(folder, 'run.sftrace');
    let found = 0;
    for (let seed = 0; seed < ROUNDS; seed++) {
      cpSync(base, bundle, { recursive: true });
      const names = mutate(bundle, new Random(seed));
      const slow = comparable(slowIssues(bundle));
      expect([seed, names, comparable(fastIssues(bundle))]).toEqual([seed, names, slow]);
      if (Array.isArray(slow)) {
        const all = validateBundle(bundle, { verifyIntegrity: true }).issues.map(({ code, step, location }) => [
          code,
          step,
          location,
        ]);
        for (const issue of slow.filter(([code]) => code !== 'integrity_unverified')) {
          // What is wrong in the files that are read after the events is told alone.
          if (all.length > 1) expect(all).toContainEqual(issue);
        }
        if (slow.length > 0) found++;
      }
      rmSync(bundle, { recursive: true });
    }
    expect(found).toBeGreaterThan(ROUNDS / 50);
  });

  it.each(Object.keys(bases))('takes apart nearly every line that we write: %s', (name) => {
    const members = openBundleMembers(bases[name]?.(join(quickFolder(), 'run.sftrace')) as string);
    const { schema } = readManifest(members);
    const exact: TraceEvent[] = [...bundleEvents(members, schema)].map(({ event }) => event);
    let whole = 0;
    for (const [index, read] of [...bundleShapesOf()].entries()) {
      expect(read.exact).toEqual(exact[index]);
      if (!read.isSplit) whole++;
    }
    expect(whole).toBeLessThanOrEqual(exact.filter(({ type }) => type === 'state_change').length);

    function* bundleShapesOf(): Generator<{ exact: TraceEvent; isSplit: boolean }> {
      for (const read of bundleShapes(members, schema)) yield { exact: read.exact(), isSplit: read.payload !== null };
    }
  });
});
