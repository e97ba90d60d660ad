import * as z from 'zod';
import { isWellFormed } from '../../json/well-formed.js';
import { parseTimestamp } from '../../timestamp.js';

/**
 * How fields that convert what they read are written, as JSON Schema, which cannot say what a conversion takes.
 */
export const writtenForms = z.registry<{ readonly [keyword: string]: string | number }>();

// The original reads with pydantic's lax mode: "3", 3.0 and true are the integer 3 or 1, numbers are timestamps.
// What it accepts must load here too, so these fields convert as it does.

/** Text that can be written as UTF-8; may be empty. */
export const anyText = z.string().refine(isWellFormed, { error: 'lone surrogate' });

export const text = z.string().min(1, { error: 'must not be empty' }).refine(isWellFormed, { error: 'lone surrogate' });

/** A whole number from 0 on. */
export const count = z.unknown().transform((value, context): number => {
  const number = toInteger(value);
  if (number !== null && number >= 0) return number;
  context.addIssue({ code: 'custom', message: 'expected a whole number from 0 on' });
  return z.NEVER;
});

count.register(writtenForms, { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** An amount from 0 on. Infinity, which JSON cannot hold, is read as unknown (null), as the original writes it. */
export const amount = z.unknown().transform((value, context): number | null => {
  const number = toNumber(value);
  if (number !== null && number >= 0) return Number.isFinite(number) ? number : null;
  context.addIssue({ code: 'custom', message: 'expected a number from 0 on' });
  return z.NEVER;
});

amount.register(writtenForms, { type: 'number', minimum: 0 });

/** A point in time with a zone, as the format writes it. */
export const timestamp = z.unknown().transform((value, context): string => {
  const parsed = parseTimestamp(value);
  if (parsed !== null) return parsed;
  context.addIssue({ code: 'custom', message: 'expected a timestamp with a time zone' });
  return z.NEVER;
});

timestamp.register(writtenForms, {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)$',
});

/** null or the field. `z.nullable` would do, were null not also a value that a conversion may see. */
export function orNull<T>(field: z.ZodType<T>): z.ZodType<T | null> {
  return z.union([z.null(), field]);
}

/** Any JSON that must be there. */
export const payload = z.unknown();
/** Any JSON, or nothing. */
export const optionalPayload = z.unknown().optional();

const INTEGER_TEXT = /^[+-]?\d+(?:_\d+)*(?:\.0+)?$/;
const NUMBER_TEXT = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const INFINITY_TEXT = /^\+?inf(?:inity)?$/i;

function toInteger(value: unknown): number | null {
  const number =
    typeof value === 'string' && INTEGER_TEXT.test(value.trim()) ? fromDigits(value.trim()) : fromBoolean(value);
  return Number.isSafeInteger(number) ? (number as number) + 0 : null;
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') {
    const number = fromBoolean(value);
    return typeof number === 'number' ? number : null;
  }
  const trimmed = value.trim();
  if (INFINITY_TEXT.test(trimmed)) return Number.POSITIVE_INFINITY;
  return NUMBER_TEXT.test(trimmed) ? fromDigits(trimmed) : null;
}

function fromDigits(digits: string): number {
  return Number(digits.replaceAll('_', ''));
}

function fromBoolean(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
