import { isStepforkError, type Json } from '@stepfork/trace-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffTraces } from '../../src/index.js';
import { differences } from '../support/outline.js';
import { runOf } from '../support/run-builder.js';

const search = (input: Json) => ({ tool: 'search', input, output: 'found' });
const ask = (input: Json) => ({ model: 'small', provider: 'acme', input, output: 'said' });

describe('ignore', () => {
  test('leaves a place of an input out of what is compared', () => {
    const one = runOf([
      search({ q: 'cats', now: 1 }),
      ask({
        messages: [
          { id: 1, text: 'a' },
          { id: 2, text: 'b' },
        ],
      }),
    ]);
    const other = runOf([search({ q: 'cats', now: 2 }), ask({ messages: [{ id: 3, text: 'a' }, { text: 'b' }] })]);
    expect(diffTraces(one, other).equivalent).toBe(false);
    const ignore = { 'tool:search': ['/now'], 'llm:*': ['/messages/*/id'] };
    expect(diffTraces(one, other, { ignore }).equivalent).toBe(true);
    expect(differences(diffTraces(one, other, { ignore: { 'tool:search': ['/now'] } }))).toEqual([
      'changed llm acme/small 1→1: input.messages[0].id, input.messages[1].id',
    ]);
  });

  test('decides which calls are the same, so that the others are aligned', () => {
    const one = runOf([1, 2, 3].map((n) => search({ n, now: n })));
    const other = runOf([9, 1, 2, 3].map((n) => search({ n, now: n + 100 })));
    const { counts } = diffTraces(one, other, { ignore: { 'tool:s*ch': ['/now'] } });
    expect(counts).toEqual({ unchanged: 4, changed: 0, moved: 0, added: 1, removed: 0 });
  });

  test('is about inputs alone, and about the calls that it names', () => {
    const one = runOf([search({ now: 1 }), { ...search({}), output: { now: 1 } }]);
    const other = runOf([search({ now: 2 }), { ...search({}), output: { now: 2 } }]);
    for (const call of ['tool:other', 'llm:search', 'tool:sear']) {
      expect(diffTraces(one, other, { ignore: { [call]: ['/now'] } }).counts.changed).toBe(2);
    }
    expect(differences(diffTraces(one, other, { ignore: { 'tool:*': ['/now'] } }))).toEqual([
      'changed tool search 1→1: output.now',
    ]);
  });

  test('names a model with and without its provider, and keeps the places of a list', () => {
    const one = runOf([ask([1, 2, 3])]);
    const other = runOf([ask([9, 2, 3])]);
    for (const call of ['llm:small', 'llm:acme/small', 'llm:acme/*']) {
      expect(diffTraces(one, other, { ignore: { [call]: ['/0'] } }).equivalent).toBe(true);
    }
    expect(diffTraces(one, runOf([ask([9, 2])]), { ignore: { 'llm:*': ['/0'] } }).equivalent).toBe(false);
    expect(diffTraces(one, runOf([ask('else')]), { ignore: { 'llm:*': [''] } }).equivalent).toBe(true);
  });

  test('changes nothing where nothing stands at the place', () => {
    const value = fc.jsonValue() as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [one, other] = [runOf([search(a)]), runOf([search(b)])];
        const ignore = { 'tool:search': ['/nowhere at all/0'] };
        expect(diffTraces(one, other, { ignore })).toEqual(diffTraces(one, other));
      }),
    );
  });

  test.each([
    [{ search: ['/q'] }, /option ignore names 'search'; a call is named like 'tool:search'/],
    [{ 'tool:': ['/q'] }, /option ignore names 'tool:'/],
    [{ 'tool:search': ['q'] }, /option ignore needs a list of JSON Pointers .* for 'tool:search'/],
    [{ 'tool:search': '/q' as unknown as string[] }, /option ignore needs a list of JSON Pointers/],
  ])('is refused where it is none: %j', (ignore, message) => {
    const attempt = () => diffTraces(runOf([]), runOf([]), { ignore });
    expect(attempt).toThrow(message as RegExp);
    expect(attempt).toThrow(expect.toSatisfy((error: unknown) => isStepforkError(error, 'bad_option')));
  });
});
