import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRunInput, toRecordInput, toRunInput } from './run-input.js';

describe('run input', () => {
  it('stores one plain object as itself', () => {
    expect(toRunInput([{ city: 'Lisbon' }])).toEqual({ city: 'Lisbon' });
  });

  it('stores no arguments as null', () => {
    expect(toRunInput([])).toBeNull();
  });

  it.each([
    ['several arguments', [1, 2]],
    ['a lone null', [null]],
    ['a lone undefined', [undefined]],
    ['a lone text', ['Lisbon']],
    ['a lone array', [[1, 2]]],
    ['a lone object that looks like a list of arguments', [{ args: 1 }]],
    ['a lone instance of a class', [new URL('http://localhost/')]],
  ])('stores %s as a list', (_what, args) => {
    expect(toRunInput(args)).toEqual({ args });
  });

  it('gives back every list of arguments', () => {
    const value = fc.oneof(
      fc.anything(),
      fc.record({ args: fc.anything() }),
      fc.constant(null),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 3 }), (args) => {
        expect(fromRunInput(toRunInput(args))).toEqual(args);
      }),
    );
  });

  it("gives back record's input as the one argument, and nothing as nothing", () => {
    expect(fromRunInput(toRecordInput(undefined))).toEqual([]);
    const value = fc.oneof(fc.anything(), fc.record({ args: fc.anything() })).filter((input) => input !== undefined);
    fc.assert(
      fc.property(value, (input) => {
        expect(fromRunInput(toRecordInput(input))).toEqual([input]);
      }),
    );
  });

  it("stores record's input as itself wherever that is unambiguous", () => {
    expect(toRecordInput('Lisbon')).toBe('Lisbon');
    expect(toRecordInput([1])).toEqual([1]);
    expect(toRecordInput(null)).toEqual({ args: [null] });
    expect(toRecordInput({ args: [1] })).toEqual({ args: [{ args: [1] }] });
  });

  it('reads an input of another writer, whose args is no list, as one argument', () => {
    expect(fromRunInput({ args: 'x' })).toEqual([{ args: 'x' }]);
    expect(fromRunInput({ args: [], kwargs: {} })).toEqual([{ args: [], kwargs: {} }]);
  });
});
