import { cpSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  hashJson,
  type Json,
  type JsonObject,
  loadTrace,
  openBundle,
  packBundle,
  readEvents,
  recoverBundle,
  type Trace,
  validateBundle,
  validateTrace,
} from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { conversation, TOOLS, turns, writeConversation } from '../support/conversation.js';
import { refusal } from '../support/refusal.js';
import { HEADER, linesOf, sealed, sealedManifest, textOf, writeTrace } from '../support/sealed.js';

const codeOf = (action: () => unknown): string | undefined => refusal(action)?.code;
const inputsOf = ({ events }: Trace): Json[] =>
  events.flatMap((event) => (event.type === 'llm_request' ? [event.input] : []));
const linesOfRequests = (bundle: string): Record<string, Json>[] =>
  linesOf(bundle).filter(({ type }) => type === 'llm_request') as Record<string, Json>[];
const written = (inputs: readonly Json[]): string =>
  writeTrace(conversation(inputs), join(temporaryFolder(), 'run.sftrace'), { runtime: HEADER });
const verified = { valid: true, issues: [], integrity: 'verified' };

describe('requests that repeat what was said before', () => {
  it('come back in full', () => {
    const inputs = turns(20);
    expect(inputsOf(loadTrace(written(inputs)))).toEqual(inputs);
  });

  it('are written with what is new alone, and the hash of the request that has the rest', () => {
    const lines = linesOfRequests(written(turns(20)));
    const [first, second, , , , tenth] = lines.map(({ input }) => input as JsonObject);
    expect(first).toEqual(turns(1)[0]);
    // The first messages alone are not worth a reference.
    expect(second).toEqual({ ...turns(2)[1], tools: { $stepfork: 'repeated', of: lines[0]?.input_hash } });
    expect(tenth).toEqual({
      messages: {
        $stepfork: 'repeated',
        added: [turns(6)[5]?.messages as Json].flat().slice(-1),
        length: 5,
        of: lines[4]?.input_hash,
      },
      model: 'm',
      tools: { $stepfork: 'repeated', of: lines[4]?.input_hash },
    });
  });

  it('make a bundle that grows with what is new', () => {
    const size = (count: number): number => statSync(join(written(turns(count)), 'events.jsonl')).size;
    const [some, more] = [size(50), size(100)];
    expect(more / some).toBeLessThan(2.1);
  });

  it('are hashed as they stand in their lines', () => {
    for (const { input, input_hash } of linesOfRequests(written(turns(10))))
      expect(hashJson(input as Json)).toBe(input_hash);
  });

  it('verify, on the disk, packed, and loaded', () => {
    const bundle = writeConversation(join(temporaryFolder(), 'run.sftrace'));
    expect(validateBundle(bundle, { verifyIntegrity: true })).toEqual(verified);
    expect(validateBundle(packBundle(bundle), { verifyIntegrity: true })).toEqual(verified);
    const trace = loadTrace(bundle);
    expect(validateTrace(trace, { verifyPayloads: true }).issues).toEqual([]);
    expect(loadTrace(packBundle(bundle, join(temporaryFolder(), 'other.packed.sftrace'))).events).toEqual(trace.events);
  });

  it('are read one at a time as they are loaded', () => {
    const bundle = writeConversation(join(temporaryFolder(), 'run.sftrace'));
    const loaded = loadTrace(bundle).events;
    expect([...readEvents(bundle)]).toEqual(loaded);
  });

  it('are given back by the writer as they are loaded', () => {
    const trace = conversation(turns(9));
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    const given = trace.events.map((event) => writer.append(sealed(event)));
    expect(given).toEqual(loadTrace(writer.finish(sealedManifest(trace))).events);
  });

  it('are the same bundle when a loaded trace is saved again', () => {
    const bundle = written(turns(12));
    const again = writeTrace(loadTrace(bundle), join(temporaryFolder(), 'again.sftrace'));
    expect(textOf(again, 'events.jsonl')).toBe(textOf(bundle, 'events.jsonl'));
  });

  it('stay whole when a loaded trace is saved without the requests that they repeat', () => {
    const trace = loadTrace(written(turns(12)));
    const some = { ...trace, events: trace.events.filter((_, index) => index === 0 || index > 16) };
    const again = writeTrace({ ...some, runtime: [] }, join(temporaryFolder(), 'again.sftrace'));
    expect(inputsOf(loadTrace(again))).toEqual(inputsOf(some));
  });

  it('keep the order of their keys', () => {
    const message = (n: number): Json => ({ role: 'user', content: `${n} ${'x'.repeat(700)}`, name: 'a' });
    const other = (n: number): Json => ({ content: `${n} ${'x'.repeat(700)}`, name: 'a', role: 'user' });
    const said = [message(0), message(1), message(2)];
    const inputs: Json[] = [
      { messages: said },
      { messages: [...said, other(3)] },
      { messages: [...said, other(3), message(4)] },
    ];
    // The same values with their keys in another order are not what was said.
    inputs.push({ messages: [other(0), ...said.slice(1)] });
    expect(inputsOf(loadTrace(written(inputs))).map((input) => JSON.stringify(input))).toEqual(
      inputs.map((input) => JSON.stringify(input)),
    );
  });

  it('name the images in what was said by their digests, not again and again', () => {
    const bundle = writeConversation(join(temporaryFolder(), 'run.sftrace'));
    const withImage = linesOfRequests(bundle).filter(({ input }) => canonicalJson(input as Json).includes('"blob"'));
    // Twice, until enough else was said.
    expect(withImage).toHaveLength(2);
    expect(inputsOf(loadTrace(bundle)).filter((input) => canonicalJson(input).includes('"blob"'))).toHaveLength(4);
  });

  it('mean, of two that differ in the order of their keys, the last one', () => {
    const long = 'x'.repeat(2000);
    const [one, other]: readonly Json[] = [{ a: { x: long, y: 1 } }, { a: { y: 1, x: long } }];
    const inputs = [one, other, one, { ...(one as JsonObject), more: 1 }] as Json[];
    expect(inputsOf(loadTrace(written(inputs))).map((input) => JSON.stringify(input))).toEqual(
      inputs.map((input) => JSON.stringify(input)),
    );
  });

  it('of conversations that take turns are each written once', () => {
    const talks = Array.from({ length: 60 }, (_, n) =>
      turns(3, [{ role: 'system', content: `${n} ${'be brief '.repeat(200)}` }]),
    );
    const inputs = Array.from({ length: 3 }, (_, turn) => talks.map((talk) => talk[turn] as Json)).flat();
    const bundle = written(inputs);
    const lines = linesOfRequests(bundle).slice(60);
    expect(lines.filter(({ input }) => canonicalJson(input as Json).includes('be brief'))).toEqual([]);
    expect(inputsOf(loadTrace(bundle))).toEqual(inputs);
  });

  it('go on to be written once, however much new there is in each', () => {
    const inputs = Array.from(
      { length: 300 },
      (_, n): Json => ({ document: `${n} ${'new '.repeat(2500)}`, tools: TOOLS }),
    );
    const bundle = written(inputs);
    expect(
      linesOfRequests(bundle)
        .slice(1)
        .filter(({ input }) => Array.isArray((input as JsonObject).tools)),
    ).toEqual([]);
  });

  it('are found where they lie deeper, and in a tool that is given them', () => {
    const bundle = writeConversation(join(temporaryFolder(), 'run.sftrace'));
    const [, , , , , sixth] = linesOf(bundle).filter(({ type }) => type === 'tool_call') as {
      input: { body: { messages: JsonObject } };
    }[];
    expect(sixth?.input.body.messages.$stepfork).toBe('repeated');
  });

  it('are written in full where no more than a few words are the same', () => {
    const bundle = written([{ messages: ['hello'] }, { messages: ['hello', 'you'] }]);
    expect(linesOfRequests(bundle).map(({ input }) => input)).toEqual([
      { messages: ['hello'] },
      { messages: ['hello', 'you'] },
    ]);
  });

  it('keep a float a float, and a whole number a whole number', () => {
    const [text, messages] = ['x'.repeat(2000), ['y'.repeat(2000)]];
    const line = (n: number, at: string): string =>
      `{"at":${at},"messages":[${JSON.stringify(messages[0])},{"n":${at}}],"text":"${text}","turn":${n}}`;
    const bundle = written([{}, {}]);
    const numbers = ['1', '1.0', '1.0', '1'];
    const events = textOf(bundle, 'events.jsonl').split('\n');
    const start = events[0] as string;
    const request = (n: number, at: string): string =>
      (events[1] as string)
        .replace('"id":"evt_0"', `"id":"evt_${n}"`)
        .replace('"step":1', `"step":${n + 1}`)
        .replace(/"input":\{\}/, `"input":${line(n, at)}`);
    writeFileSync(join(bundle, 'events.jsonl'), `${[start, ...numbers.map((at, n) => request(n, at))].join('\n')}\n`);
    const again = writeTrace(loadTrace(bundle), join(temporaryFolder(), 'again.sftrace'));
    const trace = loadTrace(again);
    expect(validateTrace(trace, { verifyPayloads: true, strict: false }).issues.map(({ code }) => code)).not.toContain(
      'payload_hash_mismatch',
    );
    const texts = [...textOf(again, 'events.jsonl').matchAll(/"at":(1(?:\.0)?)/g)].map(([, at]) => at);
    expect(texts).toEqual(numbers);
  });

  it('are left in full by a kill, as far as they were written', () => {
    const trace = conversation(turns(10));
    const writer = openBundle({
      path: join(temporaryFolder(), 'run.sftrace'),
      manifest: sealedManifest(trace),
      runtime: HEADER,
    });
    for (const event of trace.events.slice(0, -1)) writer.append(sealed(event));
    writer.close();
    const leftover = join(temporaryFolder(), 'run.00000000.partial.sftrace');
    cpSync(writer.workPath, leftover, { recursive: true });
    const events = join(leftover, 'events.jsonl');
    truncateSync(events, statSync(events).size - 40);
    const { path, dropped } = recoverBundle(leftover);
    expect(dropped).toHaveLength(1);
    expect(inputsOf(loadTrace(path))).toEqual(turns(10));
    expect(validateBundle(path, { strict: false, verifyIntegrity: true }).integrity).toBe('verified');
  });
});

describe('what repeats another input', () => {
  it('is found to be changed when the other is', () => {
    const trace = loadTrace(written(turns(10)));
    const issuesOf = (changed: Trace): (number | null)[] =>
      validateTrace(changed, { verifyPayloads: true }).issues.map(({ step }) => step);
    const withMessage = (turn: number, at: number, message: Json): Trace => ({
      ...trace,
      events: trace.events.map((event) => {
        if (event.id !== `evt_${turn}` || event.type !== 'llm_request') return event;
        const messages = (event.input as JsonObject).messages as Json[];
        // In place: the form that it was written in lies beside this very object.
        messages[at] = message;
        return event;
      }),
    });
    expect(issuesOf(trace)).toEqual([]);
    expect(issuesOf(withMessage(9, 2, 'another'))).toEqual([19]);
  });

  it('is found to have another field besides', () => {
    const trace = loadTrace(written(turns(10)));
    const last = trace.events.find(({ id }) => id === 'evt_9');
    (last as unknown as { input: { temperature: number } }).input.temperature = 1;
    expect(validateTrace(trace, { verifyPayloads: true }).issues.map(({ step }) => step)).toEqual([19]);
  });

  const faults: Readonly<Record<string, (input: JsonObject) => Json>> = {
    'an input that is not there': (input) => ({ ...input, tools: { $stepfork: 'repeated', of: '0'.repeat(64) } }),
    'a place that is not there': (input) => ({ ...input, other: input.tools as Json }),
    'more items than there are': (input) => ({ ...input, messages: { ...(input.messages as JsonObject), length: 99 } }),
    'items of what is no list': (input) => ({ ...input, model: { ...(input.messages as JsonObject), length: 1 } }),
  };

  it.each(Object.keys(faults))('is refused where it names %s', (name) => {
    const bundle = written(turns(10));
    const file = join(bundle, 'events.jsonl');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const index = lines.findIndex((line) => line.startsWith('{"id":"evt_7"'));
    const event = JSON.parse(lines[index] as string) as { input: JsonObject };
    lines[index] = JSON.stringify({ ...event, input: (faults[name] as (input: JsonObject) => Json)(event.input) });
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { issues } = validateBundle(bundle);
    expect(issues.map(({ code, step, location }) => [code, step, location])[0]).toEqual([
      'unresolved_repeat',
      15,
      `events.jsonl:${index + 1}`,
    ]);
    expect(codeOf(() => loadTrace(bundle))).toBe('unresolved_repeat');
    expect(codeOf(() => [...readEvents(bundle)])).toBe('unresolved_repeat');
  });

  it('is plain data anywhere else: below three keys, in an output, and in other shapes', () => {
    const fake: Json = { $stepfork: 'repeated', of: '0'.repeat(64) };
    const inputs: Json[] = [
      { a: { b: { c: { d: fake } } } },
      fake,
      { a: { ...fake, more: 1 } },
      { a: { $stepfork: 'repeated', added: [], length: -1, of: 'x' } },
      { a: { $stepfork: 'repeated', added: 'no list', length: 0, of: 'x' } },
    ];
    expect(inputsOf(loadTrace(written(inputs)))).toEqual(inputs);
  });

  it('cannot be written by hand, and nothing is then', () => {
    const trace = conversation([{ tools: { $stepfork: 'repeated', of: '0'.repeat(64) } }]);
    const writer = openBundle({ path: join(temporaryFolder(), 'run.sftrace'), manifest: sealedManifest(trace) });
    const [start, request] = trace.events;
    writer.append(sealed(start as Trace['events'][number]));
    expect(codeOf(() => writer.append(sealed(request as Trace['events'][number])))).toBe('unresolved_repeat');
    expect(loadTrace(writer.finish(sealedManifest(trace))).events.map(({ id }) => id)).toEqual(['evt_start']);
  });

  it('cannot ask for more than can be held, however few its lines', () => {
    const list = Array.from({ length: 100_000 }, () => 0);
    const bundle = written([{ list }]);
    const file = join(bundle, 'events.jsonl');
    const [start, request, answer] = readFileSync(file, 'utf8').split('\n') as [string, string, string];
    const of = (JSON.parse(request) as { input_hash: string }).input_hash;
    const bomb = Array.from({ length: 500 }, (_, n) => {
      const event = JSON.parse(request) as object;
      return JSON.stringify({
        ...event,
        id: `bomb_${n}`,
        input_hash: of,
        input: { list: { $stepfork: 'repeated', added: [1], length: 100_000, of } },
      });
    });
    writeFileSync(file, `${[start, request, answer, ...bomb].join('\n')}\n`);
    expect(codeOf(() => loadTrace(bundle))).toBe('unresolved_repeat');
  });

  it('may repeat one of the last requests alone', () => {
    const far = Array.from({ length: 100 }, (_, n): Json => ({ tools: [`${n} ${'x'.repeat(2000)}`] }));
    const inputs = [{ tools: TOOLS }, ...far, { tools: TOOLS }, { tools: TOOLS }];
    const bundle = written(inputs);
    const lines = linesOfRequests(bundle).map(({ input }) => (input as JsonObject).tools);
    expect(lines.at(-2)).toEqual(TOOLS);
    expect(lines.at(-1)).not.toEqual(TOOLS);
    expect(inputsOf(loadTrace(bundle))).toEqual(inputs);
  });
});
