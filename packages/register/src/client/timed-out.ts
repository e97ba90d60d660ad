/** On a response, by which the recorder knows it too: the one who waited was told that it takes long. */
const TIMED_OUT = Symbol.for('stepfork.timed-out/1');

export function markTimedOut<R extends object>(response: R): R {
  return Object.defineProperty(response, TIMED_OUT, { value: true });
}

export function isTimedOut(response: object): boolean {
  return Reflect.get(response, TIMED_OUT) === true;
}
