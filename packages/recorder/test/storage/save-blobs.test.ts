import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTrace, validateBundle } from '@stepfork/trace-format';
import { addEvent, createTrace, fromTraceValue, runStartEvent, toTraceValue } from '@stepfork/trace-format/write';
import { expect, it } from 'vitest';
import { saveTrace } from '../../src/index.js';

it('saves a trace with large binary data, and again from its bundle, blobs included', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-save-'));
  try {
    const image = Buffer.alloc(20_000, 'pixels');
    const trace = createTrace({ agentName: 'painter' });
    addEvent(trace, runStartEvent({ input: toTraceValue({ image }) }));
    const first = saveTrace(trace, join(folder, 'a.sftrace'));
    const again = saveTrace(loadTrace(first), join(folder, 'b.sftrace'));
    expect(readdirSync(join(again, 'blobs'))).toEqual(readdirSync(join(first, 'blobs')));
    expect(validateBundle(again, { strict: false, verifyIntegrity: true })).toMatchObject({ valid: true });
    const { events, blobs } = loadTrace(again);
    const [start] = events;
    expect(start?.type === 'run_start' && fromTraceValue(start.input ?? null, { blobs })).toEqual({ image });
    const { blobs: _lost, ...without } = loadTrace(first);
    expect(() => saveTrace(without, join(folder, 'c.sftrace'))).toThrow('has no blobs');
    expect(readdirSync(folder).sort()).toEqual(['a.sftrace', 'b.sftrace']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
