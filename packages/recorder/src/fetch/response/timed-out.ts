/** By which those who stand in for `node:http`, which tells of such, know it too. */
const TIMED_OUT = Symbol.for('stepfork.timed-out/1');

/** Whether the one who waited for a response was told that it takes long. */
export function isTimedOut(response: object): boolean {
  return Reflect.get(response, TIMED_OUT) === true;
}

export function markTimedOut(response: object): void {
  Object.defineProperty(response, TIMED_OUT, { value: true });
}
