import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const FOLDER = new URL('../../schemas/', import.meta.url);

/** The committed JSON Schemas, by their file's name: `list-1`. */
export const SCHEMAS: ReadonlyMap<string, Readonly<Record<string, unknown>>> = new Map(
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Record<string, unknown>,
  ]),
);

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: { regex: true } });
const compiled = new Map<string, ValidateFunction>();

/** What a document's schema has against it: `/runs/0 must have required property 'kept'`. Its `schema` names it. */
export function faultsOf(document: unknown): readonly string[] {
  const { schema } = document as { readonly schema?: unknown };
  const [, name, version] = /^stepfork\.([a-z-]+)\/(\d+)$/.exec(String(schema)) ?? [];
  return faultsBy(`${name}-${version}`, document);
}

/** The same by a schema that is named. */
export function faultsBy(name: string, document: unknown): readonly string[] {
  const schema = SCHEMAS.get(name);
  if (schema === undefined) return [`there is no schema '${name}'`];
  const validate = compiled.get(name) ?? ajv.compile(schema);
  compiled.set(name, validate);
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
}
