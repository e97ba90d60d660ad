import { displayText, isStepforkError, type JsonObject, StepforkError } from '@stepfork/trace-format';
import type { Exporter } from './exporter.js';

/**
 * As much of Standard Schema 1 (standardschema.dev) as is asked here. zod, valibot and arktype make such schemas.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * What an exporter is given as its options: what its schema makes of those that the user gave.
 *
 * @throws StepforkError `bad_exporter_option` for one that it does not take; `exporter_invalid` where its schema fails, or
 * does not answer at once
 */
export function exporterOptions<Options>(exporter: Exporter<Options>, given: JsonObject): Options | undefined {
  const called = `exporter '${displayText(exporter.name)}'`;
  const { options: schema } = exporter;
  if (schema === undefined) {
    const names = Object.keys(given);
    if (names.length === 0) return undefined;
    throw badOption(`${called} takes no options, but was given ${names.map(displayText).join(', ')}`);
  }
  const result = validated(schema, given, called);
  if (result.issues === undefined) return result.value;
  const wrong = result.issues.map(({ message, path }) => displayText(`${placeOf(path)}${message}`));
  throw badOption(`${called} refuses its options: ${wrong.join('; ')}`);
}

function validated<Output>(schema: StandardSchema<Output>, given: JsonObject, called: string): SchemaResult<Output> {
  try {
    const result = schema['~standard'].validate(given);
    if (!('then' in result)) return result;
    result.catch(() => {});
    throw invalid(`${called} cannot be used: the schema of its options answers later; it has to answer at once`);
  } catch (error) {
    if (isStepforkError(error)) throw error;
    throw invalid(`${called} cannot be used: the schema of its options threw: ${displayText(String(error))}`, error);
  }
}

/** `theme.color: ` */
function placeOf(path: SchemaIssue['path'] = []): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? '' : `${keys.join('.')}: `;
}

function badOption(message: string): StepforkError {
  return new StepforkError('bad_exporter_option', `${message}. Correct --option.`);
}

function invalid(message: string, cause?: unknown): StepforkError {
  return new StepforkError('exporter_invalid', message, { cause });
}
