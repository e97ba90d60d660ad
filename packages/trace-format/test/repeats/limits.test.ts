import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Json,
  type JsonObject,
  loadTrace,
  readEvents,
  sha256,
  validateBundle,
  validateTrace,
} from '../../src/index.js';
import { canonicalEntry } from '../../src/json/canonical.js';
import { createRoom, newInLine } from '../../src/repeats/new-in-line.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { conversation, TOOLS } from '../support/conversation.js';
import { HEADER, linesOf, writeTrace } from '../support/sealed.js';

const written = (inputs: readonly Json[]): string =>
  writeTrace(conversation(inputs), join(temporaryFolder(), 'run.sftrace'), { runtime: HEADER });
const requestsIn = (bundle: string): JsonObject[] =>
  linesOf(bundle).flatMap(({ type, input }) => (type === 'llm_request' ? [input as JsonObject] : []));

describe('what is kept of earlier inputs', () => {
  it('is forgotten when what follows takes 8 MB, by writers and readers alike', () => {
    const large = (n: number): Json => ({ document: String(n).repeat(3 << 20) });
    const inputs = [{ tools: TOOLS }, large(1), large(2), { tools: TOOLS }, large(3), { tools: TOOLS }];
    const bundle = written(inputs);
    // Two documents leave room for the tools; a third does not, but by then they were said anew, of the first ones.
    expect(requestsIn(bundle)[3]).toEqual({ tools: { $stepfork: 'repeated', of: expect.any(String) } });
    const far = written([{ tools: TOOLS }, large(1), large(2), large(3), { tools: TOOLS }]);
    expect(requestsIn(far)[4]).toEqual({ tools: TOOLS });
    for (const each of [bundle, far])
      expect(validateBundle(each, { verifyIntegrity: true })).toMatchObject({ issues: [], integrity: 'verified' });
    expect([...readEvents(bundle)].flatMap((event) => (event.type === 'llm_request' ? [event.input] : []))).toEqual(
      inputs,
    );
  });

  it('is written in full again where a bundle would come to more than may be written out', () => {
    const text = 'x'.repeat(4 << 20);
    const count = 2 ** 33 / text.length + 3;
    const bundle = written(Array.from({ length: count }, (_, n) => ({ list: [text, n] })));
    const isRepeated = requestsIn(bundle).map((input) => !Array.isArray(input.list));
    expect(isRepeated.slice(0, 3)).toEqual([false, true, true]);
    expect(isRepeated.slice(-2)).toEqual([false, false]);
    let next = 0;
    for (const event of readEvents(bundle)) {
      if (event.type !== 'llm_request') continue;
      const [read, n] = (event.input as { readonly list: readonly [string, number] }).list;
      expect([read.length, n]).toEqual([text.length, next++]);
    }
    expect(next).toBe(count);
  });

  it('gives way to what a line says, for whoever looks at lines alone, as far as there is room', () => {
    const of = '0'.repeat(64);
    const list = (length: number): Json => ({ $stepfork: 'repeated', added: ['new'], length, of });
    const line = { type: 'llm_request', input: { a: list(3), b: list(10), c: list(10) } };
    expect(newInLine(line, { items: 5 }).input).toEqual({
      a: [null, null, null, 'new'],
      b: [null, null, 'new'],
      c: ['new'],
    });
    // An input may be a list itself.
    expect(newInLine({ type: 'tool_call', input: [list(1)] }, { items: 5 }).input).toEqual([[null, 'new']]);
    const huge = newInLine({ type: 'llm_request', input: { a: list(Number.MAX_SAFE_INTEGER) } }, createRoom());
    expect((huge.input as { a: Json[] }).a.length).toBeLessThan(2_000_000);
  });
});

describe('a loaded run that repeats very much', () => {
  it('is verified in one pass', () => {
    const size = 50_000;
    const first = Array.from({ length: size }, () => 'x');
    const bundle = written([{ list: first }, { list: 0 }]);
    // Were each of them looked for from the beginning, these would be billions of steps.
    edit(bundle, (of) => ({ list: Array.from({ length: size }, () => ({ $stepfork: 'repeated', of })) }));
    const trace = loadTrace(bundle);
    expect(trace.events[3]).toMatchObject({ input: { list: first } });
    expect(validateTrace(trace, { verifyPayloads: true }).issues).toEqual([]);
    expect(validateBundle(bundle).issues).toEqual([]);
  });
});

describe('numbers beside what is repeated', () => {
  const text = 'x'.repeat(2_000);
  it.each([
    [
      'are added to a list',
      '{"l":["TEXT",2]}',
      '{"l":{"$stepfork":"repeated","added":[3.0,4],"length":2,"of":"OF"}}',
      '{"l":["TEXT",2,3.0,4]}',
    ],
    [
      'stand in the list',
      '{"l":["TEXT",1.0,2]}',
      '{"l":{"$stepfork":"repeated","added":[3],"length":3,"of":"OF"}}',
      '{"l":["TEXT",1.0,2,3]}',
    ],
    [
      'stand in all of it',
      '{"l":["TEXT",1.0]}',
      '{"l":{"$stepfork":"repeated","of":"OF"},"z":1.0}',
      '{"l":["TEXT",1.0],"z":1.0}',
    ],
    [
      'are too large',
      '{"l":["TEXT",-0.0]}',
      '{"l":{"$stepfork":"repeated","added":[90071992547409931],"length":2,"of":"OF"}}',
      '{"l":["TEXT",-0.0,90071992547409931]}',
    ],
  ])('keep what they are where they %s', (_, earlier, later, full) => {
    const bundle = written([{ l: 0 }, { l: 0 }]);
    const first = earlier.replace('TEXT', text);
    rewrite(bundle, [first, later.replace('OF', sha256(first))]);
    expect(validateBundle(bundle).issues).toEqual([]);
    const trace = loadTrace(bundle);
    expect(validateTrace(trace, { verifyPayloads: true }).issues).toEqual([]);
    const again = writeTrace(trace, join(temporaryFolder(), 'again.sftrace'));
    for (const { events } of [trace, loadTrace(again)]) {
      const inputs = events.flatMap((event) => (event.type === 'llm_request' ? [canonicalEntry(event, 'input')] : []));
      expect(inputs).toEqual([first, full.replace('TEXT', text)]);
    }
  });
});

/** Puts another input into the second request, which may repeat the first. */
function edit(bundle: string, make: (of: string) => Json): void {
  const [first] = linesOf(bundle).filter(({ type }) => type === 'llm_request');
  const input = make(String(first?.input_hash));
  rewrite(bundle, [JSON.stringify(first?.input), JSON.stringify(input)]);
}

/** Puts texts into the place of the requests' inputs, with their hashes. */
function rewrite(bundle: string, inputs: readonly string[]): void {
  const file = join(bundle, 'events.jsonl');
  let next = 0;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      if (!line.includes('"type":"llm_request"')) return line;
      const input = inputs[next++] as string;
      return line
        .replace(/"input":.*$/, () => `"input":${input}}`)
        .replace(/"input_hash":"\w+"/, `"input_hash":"${sha256(input)}"`);
    });
  writeFileSync(file, lines.join('\n'));
}
