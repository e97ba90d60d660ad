import assert from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  fromTraceValue,
  type Json,
  loadTrace,
  toolResultEvent,
  toTraceValue,
} from '../../src/index.js';
import { HEADER, writeTrace } from '../support/sealed.js';

const folder = mkdtempSync(join(tmpdir(), 'stepfork-errors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** What a bundle gives back that was saved with these outputs. */
function throughBundle(outputs: readonly Json[]): readonly Json[] {
  const trace = createTrace({ agentName: 'errors' });
  for (const output of outputs) addEvent(trace, toolResultEvent({ name: 'tool', output }));
  const path = writeTrace(trace, join(folder, `${count++}.sftrace`), { runtime: HEADER });
  return loadTrace(path).events.map((event) => (event as unknown as { readonly output: Json }).output);
}

/** All that an agent can say of an error it caught, but for its stack. */
const seen = (error: Error): unknown => ({
  text: String(error),
  className: error.constructor.name,
  json: JSON.stringify(error),
  keys: Object.keys(error),
  parts: JSON.stringify(toTraceValue([error.name, error.message, (error as { code?: unknown }).code])),
  bases: [Error, TypeError, RangeError, SyntaxError, AggregateError, DOMException].map((base) => error instanceof base),
});

function expectSame(errors: readonly Error[]): void {
  const encoded = errors.map((error) => toTraceValue(error));
  const revived = throughBundle(encoded).map((json) => fromTraceValue(json) as Error);
  expect(revived.map(seen)).toEqual(errors.map(seen));
  expect(revived.map((error) => JSON.stringify(toTraceValue(error)))).toEqual(
    encoded.map((json) => JSON.stringify(json)),
  );
}

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it threw nothing');
}

const unexpected = (): never => assert.fail('it failed at nothing');

class HttpError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}
class NotFoundError extends HttpError {
  override name = 'NotFoundError';
  code = 'NOT_FOUND';
}
class InputError extends TypeError {
  field = 'amount';
}
class NamedByClass extends RangeError {
  override get name(): string {
    return 'NamedByClass';
  }
  get code(): string {
    return 'E_RANGE';
  }
}
class SaysMore extends Error {
  override toString(): string {
    return `more than ${this.message}`;
  }
}
class Many extends AggregateError {}
class Gone extends DOMException {}
class Hidden extends Error {
  constructor(message: string) {
    super(message);
    Object.defineProperty(this, 'code', { value: 'HIDDEN', enumerable: false });
    Object.defineProperty(this, 'name', { value: 'HiddenName', enumerable: false });
  }
}
const renamed = (name: string): Error => {
  const Renamed = class extends Error {};
  Object.defineProperty(Renamed, 'name', { value: name });
  return new Renamed(`of a class named ${name}`);
};

describe('an error revived from a bundle', () => {
  it('is the error again, whatever made it', () => {
    const cause = new NotFoundError('no such order', 404);
    expectSame([
      ...[new Error('plain'), new Error(), new TypeError('t'), new HttpError('h', 500), cause],
      ...[new InputError('i'), new NamedByClass('n'), new SaysMore('said'), new Hidden('h')],
      ...['TypeError', 'DOMException', ''].map(renamed),
      new Error('outer', { cause }),
      new Error('outer', { cause: undefined }),
      new AggregateError([cause, new InputError('i'), 5], 'several'),
      new AggregateError([]),
      new Many([new HttpError('h', 1)], 'many'),
      new DOMException('gone', 'AbortError'),
      new Gone('gone', 'TimeoutError'),
      Object.assign(new Error('listed'), { zeta: 1, name: 'Listed', code: 7, message: 'last', alpha: undefined }),
      Object.assign(new HttpError('x', 1), { cause: null, errors: [1], 10: 'ten', $stepfork: 'user', '\ud800': 1 }),
      Object.assign(new Error('own text'), { name: '' }),
      Object.assign(new Error('x'), { name: undefined }),
      Object.defineProperty(new Error('x'), '__proto__', { value: { a: 1 }, enumerable: true }),
      Object.setPrototypeOf(new Error('x'), HttpError.prototype) as Error,
    ]);
  });

  it('keeps a foreign realm’s class by name', () => {
    const foreign = vm.runInNewContext('new (class Foreign extends RangeError { code = 1 })("f")') as Error;
    const [json] = throughBundle([toTraceValue(foreign)]);
    const revived = fromTraceValue(json as Json) as Error;
    expect(revived).toBeInstanceOf(RangeError);
    expect(revived.constructor.name).toBe('Foreign');
    expect(toTraceValue(revived)).toEqual(toTraceValue(foreign));
  });

  it('is the error again where Node made it', async () => {
    const missing = join(folder, 'missing');
    expectSame([
      thrownBy(() => readFileSync(missing)),
      thrownBy(() => readdirSync(missing)),
      thrownBy(() => readFileSync(folder)),
      thrownBy(() => readFileSync(Symbol.iterator as unknown as string)),
      thrownBy(() => readFileSync('\0')),
      thrownBy(() => Buffer.alloc(-1)),
      thrownBy(() => new URL('nowhere')),
      thrownBy(() => JSON.parse('{')),
      thrownBy(() => decodeURIComponent('%')),
      thrownBy(() => structuredClone(() => 1)),
      thrownBy(() => assert.strictEqual(1, 2)),
      thrownBy(() => assert.deepStrictEqual({ a: [1] }, { a: [2] }, 'they differ')),
      thrownBy(() => rmSync(folder)),
      await open(missing).then(unexpected, (error: Error) => error),
      await fetch('http://127.0.0.1:1').then(unexpected, (error: Error) => error),
      await fetch('nowhere').then(unexpected, (error: Error) => error),
      await new Promise<Error>((resolve) => void connect({ port: 1, host: '127.0.0.1' }).once('error', resolve)),
    ]);
  });

  it('is of one class with others of its name and base, and of no other', () => {
    const revive = (error: Error): Error => fromTraceValue(toTraceValue(error)) as Error;
    expect(revive(new HttpError('a', 1)).constructor).toBe(revive(new HttpError('b', 2)).constructor);
    class Other extends TypeError {}
    class OtherOfError extends Error {}
    Object.defineProperty(OtherOfError, 'name', { value: 'Other' });
    expect(revive(new Other()).constructor).not.toBe(revive(new OtherOfError()).constructor);
  });

  it('still comes from a bundle whose fields lack its code', () => {
    const old = { $stepfork: 'error', name: 'Error', message: 'm', code: 'E1', status: 4, fields: { a: 1 } };
    expect(fromTraceValue(old)).toMatchObject({ message: 'm', code: 'E1', status: 4, a: 1 });
  });

  it('has no name that is ever run', () => {
    const name = '}; globalThis.ran = 1; class {';
    const error = fromTraceValue({ $stepfork: 'error', name, message: 'm' }) as Error;
    expect([error.constructor.name, error.name]).toEqual([name, name]);
    expect(globalThis).not.toHaveProperty('ran');
  });

  it('is the error again, whatever it is made of', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    // With a `toString` that is no function there is no text to compare, nor to store.
    const anyKey = text.filter((name) => name !== 'toString');
    const key = fc.oneof(
      anyKey,
      fc.constantFrom('name', 'code', 'status', 'cause', 'errors', 'message', 'b', 'a', '1'),
    );
    const plain = fc.oneof(text, fc.integer(), fc.constant(undefined), fc.array(fc.boolean(), { maxLength: 2 }));
    const { error } = fc.letrec<{ error: Error }>((tie) => ({
      error: fc
        .record({
          className: fc.oneof(text, fc.constantFrom('HttpError', 'TypeError', 'Error', 'DOMException')),
          base: fc.constantFrom(Error, TypeError, RangeError, AggregateError, DOMException, HttpError),
          made: fc.boolean(),
          message: text,
          cause: fc.option(fc.oneof({ depthSize: 'small' }, plain, tie('error')), { nil: null }),
          fields: fc.array(fc.tuple(key, fc.oneof({ depthSize: 'small' }, plain, tie('error'))), { maxLength: 5 }),
          hiddenName: fc.option(text),
        })
        .map(({ className, base, made, message, cause, fields, hiddenName }) => {
          const Base = base as unknown as new (...args: unknown[]) => Error;
          const Class = made ? Object.defineProperty(class extends Base {}, 'name', { value: className }) : Base;
          const error = base === AggregateError ? new Class([cause], message) : new Class(message);
          if (hiddenName !== null) Object.defineProperty(error, 'name', { value: hiddenName, configurable: true });
          if (cause !== null) Object.defineProperty(error, 'cause', { value: cause, configurable: true });
          for (const [name, value] of fields) {
            Object.defineProperty(error, name, { value, enumerable: true, configurable: true, writable: true });
          }
          return error;
        }),
    }));
    fc.assert(
      fc.property(fc.array(error, { minLength: 1, maxLength: 4 }), (errors) => expectSame(errors)),
      { numRuns: process.env.STEPFORK_FULL === '1' ? 2000 : 60 },
    );
  });
});
