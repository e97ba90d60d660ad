import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTrace, type Trace, type TraceEvent, validateBundle } from '@stepfork/trace-format';
import { afterEach, beforeEach, expect } from 'vitest';

/** A directory of each test's own, as a function because it changes from test to test. */
export function ownDirectory(): () => string {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'stepfork-recorder-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  return () => directory;
}

/** Bundles in a directory, by name. */
export function bundlesIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sftrace'))
    .sort();
}

/** Loads a bundle that holds every rule of the format, its hashes and digests included. */
export function loadSound(path: string): Trace {
  expect(validateBundle(path, { verifyIntegrity: true })).toEqual({ valid: true, issues: [], integrity: 'verified' });
  return loadTrace(path);
}

/** Events of one type. */
export function eventsOf<T extends TraceEvent['type']>(trace: Trace, type: T): Extract<TraceEvent, { type: T }>[] {
  return trace.events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
}

/** The events as one line each, each under its parent: `1 tool_call search < 0`. */
export function outline(trace: Trace): string[] {
  return trace.events.map((event) => {
    const name = 'name' in event ? ` ${event.name}` : 'error_type' in event ? ` ${event.error_type}` : '';
    const parent = trace.events.findIndex(({ id }) => id === event.parent_id);
    return `${event.step} ${event.type}${name}${parent === -1 ? '' : ` < ${parent}`}`;
  });
}
