import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  type Json,
  loadTrace,
  openBundle,
  sealEvent,
  sealManifest,
  type Trace,
  toolResultEvent,
  validateBundle,
} from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'stepfork-key-order-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** Writes outputs as events of one bundle, and answers where. */
function write(outputs: readonly Json[]): string {
  const trace: Trace = createTrace({ agentName: 'orders', tags: {} });
  for (const output of outputs) addEvent(trace, toolResultEvent({ name: 'tool', output }));
  const { events, runtime, ...manifest } = trace;
  const [header] = runtime;
  if (header?.type !== 'runtime') throw new Error('a trace with tags has a header');
  const sealed = sealManifest(manifest, []);
  const writer = openBundle({ path: join(folder, `${count++}.sftrace`), manifest: sealed, runtime: header });
  for (const event of events) writer.append(sealEvent(event, []));
  return writer.finish(sealed);
}

const outputsOf = (path: string): readonly string[] =>
  loadTrace(path).events.map((event) => JSON.stringify((event as { readonly output: Json }).output));
const recordsOf = (path: string): number => loadTrace(path).runtime.filter(({ type }) => type === 'key_order').length;

describe('the order of keys', () => {
  it('comes back as the agent saw it, though the bytes are sorted', () => {
    const outputs = [{ status: 'shipped', carrier: 'FedEx', items: [{ sku: 'b', count: 2 }] }];
    const path = write(outputs);
    expect(outputsOf(path)).toEqual(outputs.map((output) => JSON.stringify(output)));
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).toContain('{"carrier":"FedEx","items":[{"count":2,');
    expect(validateBundle(path, { strict: false, verifyIntegrity: true })).toMatchObject({ valid: true });
  });

  it('is noted once for all objects with the same keys', () => {
    const outputs = Array.from({ length: 50 }, (_, index) => ({ rows: [{ name: 'x', id: index }], next: null }));
    const path = write(outputs);
    expect(outputsOf(path)).toEqual(outputs.map((output) => JSON.stringify(output)));
    expect(recordsOf(path)).toBe(2);
  });

  it('is noted object by object where the same keys stand in another order', () => {
    const outputs = [
      { b: 1, a: 1 },
      { a: 2, b: 2 },
      [
        { b: 3, a: { b: 1, a: 2 } },
        { a: 4, b: 4 },
      ],
    ];
    const path = write(outputs);
    expect(outputsOf(path)).toEqual(outputs.map((output) => JSON.stringify(output)));
  });

  it('needs no record where keys are sorted already', () => {
    expect(recordsOf(write([{ a: 1, b: { c: 1, d: 2 } }]))).toBe(0);
  });

  it('comes back where UTF-16 units order keys otherwise than code points do', () => {
    const outputs = [{ '\u{10000}': 1, '\uffff': 2 }, [{ '\uffff': 1, '\u{10000}': 2 }]];
    expect(outputsOf(write(outputs))).toEqual(outputs.map((output) => JSON.stringify(output)));
  });

  it('holds for any JSON', () => {
    const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.array(json, { maxLength: 5 }), (outputs) => {
        // Negative zero has no text of its own in JSON.stringify.
        expect(outputsOf(write(outputs))).toEqual(outputs.map((output) => JSON.stringify(output)));
      }),
      { numRuns: process.env.STEPFORK_FULL === '1' ? 2_000 : 100 },
    );
  });

  it('is kept for the chunks of a stream too, also of one that never ended', () => {
    const { events, runtime, ...manifest } = createTrace({ agentName: 'orders', tags: {} });
    const [header] = runtime;
    if (header?.type !== 'runtime') throw new Error('a trace with tags has a header');
    const sealed = sealManifest(manifest, []);
    const writer = openBundle({ path: join(folder, `${count++}.sftrace`), manifest: sealed, runtime: header });
    const chunks: Json[] = [{ delta: { text: 'a', at: 1 } }, { delta: { at: 2, text: 'b' } }, [{ z: 1, a: 2 }]];
    chunks.forEach((data, index) => {
      const point = { step: 0, order: index, at_ms: 0, turn: 1 };
      writer.appendRuntime({ type: 'chunk', call_id: 'evt_call', index, data, sent: { y: 1, x: 2 }, ...point });
    });
    const loaded = loadTrace(writer.finish(sealed)).runtime.filter((record) => record.type === 'chunk');
    expect(loaded.map(({ data }) => JSON.stringify(data))).toEqual(chunks.map((data) => JSON.stringify(data)));
    expect(loaded.map(({ sent }) => JSON.stringify(sent))).toEqual(chunks.map(() => '{"y":1,"x":2}'));
  });
});
