import { displayText, StepforkError } from '@stepfork/trace-format';
import type { RegressionCase, RenderTarget } from './case.js';
import type { StandardSchema } from './exporter-options.js';

/** The version of this contract; a loaded exporter that states another is refused. */
export const EXPORTER_CONTRACT = 1;

/** A file an exporter wants written, beside or below the test. */
export interface RenderedFile {
  /** Relative to the test file's folder; `/` separated; never leaves it. */
  readonly path: string;
  readonly text: string;
}

/**
 * A plugin that renders test files of one framework from a regression case. Plain data and one pure function.
 *
 * @typeParam Options what its schema makes of the options that a user gives
 */
export interface Exporter<Options = unknown> {
  readonly contract: typeof EXPORTER_CONTRACT;
  /** Name as given to `--to`. */
  readonly name: string;
  /** Suffix of a test file: `.test.ts`. */
  readonly fileSuffix: (target: RenderTarget) => string;
  /** Which options it takes. Absent: none. */
  readonly options?: StandardSchema<Options>;
  /** The same case and options give the same bytes. */
  render(regression: RegressionCase, options: Options): readonly RenderedFile[];
}

/**
 * Holds a loaded plugin to the contract; `name` is what the user called it by.
 *
 * @throws StepforkError `exporter_invalid` when it is no exporter, `exporter_contract` when it states another
 * version of the contract.
 */
export function assertExporter(value: unknown, name: string): asserts value is Exporter {
  const called = `exporter '${displayText(name)}'`;
  const fields = typeof value === 'object' && value !== null ? (value as Partial<Record<keyof Exporter, unknown>>) : {};
  if (fields.contract !== EXPORTER_CONTRACT && fields.contract !== undefined) {
    throw new StepforkError(
      'exporter_contract',
      `${called} is written for contract ${displayText(String(fields.contract))}, this Stepfork knows ${EXPORTER_CONTRACT}: install versions of both that fit`,
      { details: { name, contract: fields.contract } },
    );
  }
  const wrong = faults(fields);
  if (wrong.length > 0) {
    throw new StepforkError(
      'exporter_invalid',
      `${called} is not an exporter: ${wrong.join(', ')}; its default export must be what @stepfork/exporter-kit calls an Exporter`,
      { details: { name, faults: wrong } },
    );
  }
}

function faults(fields: Partial<Record<keyof Exporter, unknown>>): string[] {
  const wrong: string[] = [];
  if (fields.contract === undefined) wrong.push('it states no contract version');
  if (typeof fields.name !== 'string' || fields.name === '') wrong.push('it has no name');
  if (typeof fields.fileSuffix !== 'function') wrong.push('fileSuffix is not a function');
  if (typeof fields.render !== 'function') wrong.push('render is not a function');
  if (fields.options !== undefined && !isSchema(fields.options)) wrong.push('options is no Standard Schema');
  return wrong;
}

function isSchema(value: unknown): boolean {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const standard = isHolder ? (value as Partial<StandardSchema>)['~standard'] : undefined;
  return standard?.version === 1 && typeof standard.validate === 'function';
}
