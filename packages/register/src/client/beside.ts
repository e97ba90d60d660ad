/** On a response, by which the recorder knows it, too. */
const BESIDE = Symbol.for('stepfork.beside-response/1');

/** An answer before the answer: `103 Early Hints`. */
export interface Hint {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What `node:http` tells of an answer that a `Response` has no place for. */
export interface Beside {
  /** The one who waited for it was told that it takes long. */
  readonly timedOut?: boolean | undefined;
  readonly hints?: readonly Hint[] | undefined;
  /** Whether its head is given before its body is there, whatever that is. */
  readonly isStreamed?: boolean | undefined;
  /** Its body is as it came, packed by what its head says. */
  readonly isPacked?: boolean | undefined;
  /** Known once the body is over. */
  readonly trailers?: Readonly<Record<string, string>> | undefined;
}

export function besideOf(response: object): Beside {
  return (Reflect.get(response, BESIDE) as Beside | undefined) ?? {};
}

export function withBeside(response: Response, beside: Beside): Response {
  return Object.defineProperty(response, BESIDE, { value: beside });
}
