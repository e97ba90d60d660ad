const BRAND = Symbol.for('stepfork.error/1');

/**
 * Every failure Stepfork reports on purpose. Told by its brand, never by `instanceof`: a program may hold two
 * copies of a package (ESM and CommonJS), and jest gives each test file a realm of its own.
 */
export class StepforkError extends Error {
  /** One of the codes in docs/errors.md. */
  readonly code: string;
  /** Plain data about this occurrence. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StepforkError';
    this.code = code;
    this.details = options.details ?? {};
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** A state that only a bug of ours can reach. */
export class InternalError extends StepforkError {
  constructor(message: string, details: Record<string, unknown> = {}) {
    super('internal', `${message} (this is a bug in Stepfork)`, { details });
    this.name = 'InternalError';
  }
}

/** Whether `value` is a StepforkError of any copy or realm, and of the given code when one is named. */
export function isStepforkError(value: unknown, code?: string): value is StepforkError {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Record<PropertyKey, unknown>)[BRAND] === true &&
    (code === undefined || (value as StepforkError).code === code)
  );
}
