import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadTrace, packBundle, unpackBundle, validateBundle } from '@stepfork/trace-format';
import {
  addEvent,
  createTrace,
  errorEvent,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  openBundle,
  type RuntimeRecord,
  runEndEvent,
  runStartEvent,
  streamOf,
  toTraceValue,
} from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { scanBundle, scrubBundle } from '../../src/bundle.js';
import { createRedactor, type RedactOptions } from '../../src/index.js';
import { filesOf, freshPath, headerOf } from './folder.js';

const SECRET = 'tango-7-whisky';
const NPM = `npm_${'a'.repeat(36)}`;

/** A run whose first model call ended, and whose second broke off; the chunks of both stand between each other. */
function streamed(ended: readonly Json[], broken: readonly Json[], rules: RedactOptions = { ruleset: '0.1' }): string {
  const redactor = createRedactor(rules);
  const trace = createTrace({ agentName: 'agent', status: 'completed' });
  const output = { $stepfork: 'stream', kind: 'async-iterable', end: 'complete', chunks: ended };
  const about = { provider: 'p', model: 'm' };
  addEvent(trace, runStartEvent({ id: 'evt_start', input: null }));
  addEvent(trace, llmRequestEvent({ id: 'evt_a', ...about, input: 'a' }));
  addEvent(trace, llmRequestEvent({ id: 'evt_b', ...about, input: 'b' }));
  addEvent(trace, llmResponseEvent({ id: 'evt_a_end', parent_id: 'evt_a', ...about, output }));
  addEvent(trace, errorEvent({ id: 'evt_b_end', parent_id: 'evt_b', error_type: 'Error', message: 'gone' }));
  addEvent(trace, runEndEvent({ id: 'evt_end', run_status: 'completed', output: null }));
  const { events, runtime: _runtime, blobs: _blobs, ...manifest } = trace;
  const sealed = redactor.redactManifest(manifest);
  const writer = openBundle({ path: freshPath(), manifest: sealed, runtime: headerOf(redactor) });
  for (const event of events) writer.append(redactor.redactEvent(event));
  const streams = { evt_a: redactor.openChunks(), evt_b: redactor.openChunks() };
  const write = (call_id: string, given: readonly { readonly index: number; readonly value: Json }[]): void => {
    for (const { index, value } of given) {
      const point = { step: 3, order: index, at_ms: 0, turn: 0 };
      const record: RuntimeRecord = { type: 'chunk', call_id, index, data: value, ...point };
      writer.appendRuntime(record);
    }
  };
  for (let i = 0; i < Math.max(ended.length, broken.length); i++) {
    if (i < ended.length) write('evt_a', streams.evt_a.add(ended[i] as Json));
    if (i < broken.length) write('evt_b', streams.evt_b.add(broken[i] as Json));
  }
  write('evt_a', streams.evt_a.end());
  write('evt_b', streams.evt_b.end());
  return writer.finish(sealed);
}

const delta = (text: string): Json => ({ choices: [{ delta: { content: text } }] });
const split = (text: string): readonly Json[] => [
  delta('it is '),
  delta(text.slice(0, 5)),
  delta(text.slice(5)),
  delta(' so'),
];

function chunkTexts(bundle: string, call: string): string {
  const records = readFileSync(join(bundle, 'runtime.jsonl'), 'utf8').trim().split('\n');
  return records
    .map((line) => JSON.parse(line))
    .filter(({ type, call_id }) => type === 'chunk' && call_id === call)
    .map(({ data }) => data.choices[0].delta.content)
    .join('');
}

function expectSealed(bundle: string): void {
  expect(validateBundle(bundle, { verifyIntegrity: true }).issues).toEqual([]);
}

describe('a secret that is spread over the chunks of a stream', () => {
  it('is found in the event and in the records of it, by the id of the event and of the call', () => {
    const bundle = streamed(split(NPM), split(NPM));
    const place = '/choices/0/delta/content';
    expect(scanBundle(bundle)).toEqual([
      ...[1, 2].map((chunk) => ({
        file: 'events.jsonl',
        line: 4,
        path: `/output/chunks/${chunk}${place}`,
        rule: 'npm-token',
        eventId: 'evt_a_end',
      })),
      ...[
        [5, 'evt_a'],
        [6, 'evt_b'],
        [7, 'evt_a'],
        [8, 'evt_b'],
      ].map(([line, eventId]) => ({
        file: 'runtime.jsonl',
        line,
        path: `/data${place}`,
        rule: 'npm-token',
        eventId,
      })),
    ]);
  });

  it('is found as it lies in a packed bundle', () => {
    const bundle = streamed(split(NPM), split(NPM));
    const packed = scanBundle(packBundle(bundle));
    expect(packed.map(({ path, rule, eventId }) => ({ path, rule, eventId }))).toEqual(
      scanBundle(bundle).map(({ path, rule, eventId }) => ({ path, rule, eventId })),
    );
  });

  it('is not there when it was recorded under the same rules', () => {
    const bundle = streamed(split(NPM), split(NPM), {});
    expect(scanBundle(bundle)).toEqual([]);
    expect(chunkTexts(bundle, 'evt_a')).toBe('it is [REDACTED] so');
    const [, , , response] = loadTrace(bundle).events;
    const chunks = streamOf((response as unknown as { output: Json }).output)?.chunks;
    expect(chunks).toEqual([delta('it is '), delta('[REDACTED]'), delta(''), delta(' so')]);
  });

  it('is scrubbed from both alike', () => {
    const bundle = streamed(split(SECRET), split(SECRET));
    const { places } = scrubBundle(bundle, { value: SECRET, inPlace: true });
    expectSealed(bundle);
    expect(Object.values(filesOf(bundle)).join()).not.toMatch(/tango|whisky/);
    expect(chunkTexts(bundle, 'evt_a')).toBe('it is [REDACTED] so');
    expect(chunkTexts(bundle, 'evt_b')).toBe('it is [REDACTED] so');
    expect(places.map(({ event_id, path }) => `${event_id} ${path}`)).toEqual([
      'evt_a_end /output/chunks/1/choices/0/delta/content',
      'evt_a_end /output/chunks/2/choices/0/delta/content',
    ]);
  });

  it('is scrubbed from the records by its place in the event', () => {
    const bundle = streamed([delta('a'), { pin: 1234 }, delta('b')], []);
    scrubBundle(bundle, { pointers: [{ event_id: 'evt_a_end', path: '/output/chunks/1/pin' }], inPlace: true });
    expectSealed(bundle);
    expect(Object.values(filesOf(bundle)).join()).not.toContain('1234');
  });
});

describe('a secret in a blob', () => {
  const bytes = Buffer.alloc(40_000, '- ');
  bytes.write(NPM, 20_000);
  bytes.write(SECRET, 30_000);
  const chunk = toTraceValue({ bytes });

  it('is found by the name of the blob', () => {
    const bundle = streamed([chunk], []);
    const [blob] = readdirSync(join(bundle, 'blobs'));
    expect(scanBundle(bundle)).toEqual([{ file: `blobs/${blob}`, line: null, path: null, rule: 'npm-token' }]);
    expect(scanBundle(packBundle(bundle)).map(({ rule }) => rule)).toEqual(['npm-token']);
  });

  it('is scrubbed, and the blob has another name', () => {
    const bundle = streamed([chunk], [chunk]);
    const [before] = readdirSync(join(bundle, 'blobs'));
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    expectSealed(bundle);
    const [after, ...more] = readdirSync(join(bundle, 'blobs'));
    expect(more).toEqual([]);
    expect(after).not.toBe(before);
    expect(readFileSync(join(bundle, 'blobs', after as string), 'utf8')).toContain('[REDACTED]');
    expect(Object.values(filesOf(bundle)).join()).not.toContain(SECRET);
    expect(Object.values(filesOf(bundle)).join()).not.toContain(before);
  });
});

describe('a packed bundle', () => {
  it('is scrubbed in its place, and is a packed one afterwards', () => {
    const packed = packBundle(streamed(split(SECRET), split(SECRET)));
    const { path, places } = scrubBundle(packed, { value: SECRET, inPlace: true });
    expect(path).toBe(packed);
    expect(places).toHaveLength(2);
    expectSealed(packed);
    expect(chunkTexts(unpackBundle(packed, freshPath()), 'evt_b')).toBe('it is [REDACTED] so');
    expect(readdirSync(dirname(packed)).filter((name) => name.startsWith(`.${basename(packed)}`))).toEqual([]);
  });

  it('is scrubbed into another file, and stays when nothing is found', () => {
    const packed = packBundle(streamed(split(SECRET), []));
    const before = readFileSync(packed);
    const to = freshPath();
    scrubBundle(packed, { value: SECRET, to });
    expect(readFileSync(packed)).toEqual(before);
    expectSealed(to);
    expect(() => scrubBundle(to, { value: SECRET, inPlace: true })).toThrow(/stands nowhere in it/);
    expectSealed(to);
  });
});
