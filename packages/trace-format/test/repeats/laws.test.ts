import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  externalizeBytes,
  type Json,
  loadTrace,
  readEvents,
  toTraceValue,
  validateBundle,
  validateTrace,
} from '../../src/index.js';
import { someBytes } from '../support/blobs-and-streams.js';
import { quickFolder } from '../support/bundle-files.js';
import { conversation } from '../support/conversation.js';
import { HEADER, writeTrace } from '../support/sealed.js';

const ROUNDS = process.env.STEPFORK_FULL === '1' ? 3000 : 100;

/** Large enough to be repeated, alone or with a few others. */
const text = fc.tuple(fc.nat(5), fc.constantFrom(10, 300, 1200)).map(([n, size]) => `${n}${'x'.repeat(size)}`);
const scalar = fc.constantFrom<Json>(null, true, 0, 1.5, -0, '', (2n ** 70n) as unknown as Json);
const image = fc.nat(2).map((n) => toTraceValue(someBytes(17_000, n)));
const message: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ role: fc.constantFrom('user', 'tool'), content: text }) },
  {
    weight: 2,
    arbitrary: fc.record({ content: text, role: fc.constant('user'), parts: fc.array(text, { maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: image },
  { weight: 1, arbitrary: scalar },
);

/** What a program does to what it sends next. */
type Change = (input: Json) => Json;
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: message.map(
      (next): Change =>
        (input) =>
          withMessages(input, (all) => [...all, next]),
    ),
  },
  fc.nat(6).map(
    (at): Change =>
      (input) =>
        withMessages(input, (all) => all.slice(0, at)),
  ),
  fc.nat(6).map(
    (at): Change =>
      (input) =>
        withMessages(input, (all) => all.slice(at)),
  ),
  fc.tuple(fc.nat(9), message).map(
    ([at, next]): Change =>
      (input) =>
        withMessages(input, (all) => all.map((each, index) => (index === at ? next : each))),
  ),
  fc.tuple(fc.constantFrom('tools', 'system', '__proto__'), fc.oneof(text, fc.array(message, { maxLength: 3 }))).map(
    ([key, value]): Change =>
      (input) =>
        isObject(input) ? Object.fromEntries([...Object.entries(input), [key, value]]) : input,
  ),
  fc.constant<Change>((input) => (isObject(input) ? { body: input } : input)),
  fc.constant<Change>((input) => [input, 'more']),
  fc.constant<Change>((input) => input),
  message.map(
    (next): Change =>
      () => ({ messages: [next] }),
  ),
);

function isObject(json: Json): json is { readonly [key: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function withMessages(input: Json, map: (all: readonly Json[]) => readonly Json[]): Json {
  if (!isObject(input)) return input;
  return { ...input, messages: map((input.messages ?? []) as readonly Json[]) };
}

describe('the inputs of a run', () => {
  it('come back as they were, whatever they repeat of each other, and verify', () => {
    const folder = quickFolder();
    let count = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 25 }), (changes) => {
        let input: Json = { model: 'm', messages: [] };
        const inputs = changes.map((next) => {
          input = next(input);
          return input;
        });
        const bundle = writeTrace(conversation(inputs), join(folder, `${count++}.sftrace`), { runtime: HEADER });
        const trace = loadTrace(bundle);
        const loaded = trace.events.flatMap((event) => (event.type === 'llm_request' ? [event.input] : []));
        expect(loaded).toEqual(inputs.map((each) => externalizeBytes(each)));
        expect(loaded.map(orderOf)).toEqual(inputs.map((each) => orderOf(externalizeBytes(each))));
        expect(validateBundle(bundle, { verifyIntegrity: true })).toMatchObject({ issues: [], integrity: 'verified' });
        expect(validateTrace(trace, { verifyPayloads: true }).issues).toEqual([]);
        expect([...readEvents(bundle)]).toEqual(trace.events);
      }),
      { numRuns: ROUNDS },
    );
  });
});

/** Keys in their order, too. */
function orderOf(json: Json): string {
  return JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
