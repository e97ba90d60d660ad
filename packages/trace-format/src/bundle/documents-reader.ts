import { join } from 'node:path';
import { displayText } from '../display.js';
import { StepforkError } from '../errors.js';
import { isJsonObject } from '../json/object.js';
import type { Json, JsonObject } from '../json.js';
import type { Manifest } from '../manifest.js';
import type { BundleSchema } from '../schema/bundle-schema.js';
import { knownVersions, schemaOf } from '../schema/versions.js';
import type { RedactionEntry } from './documents.js';
import { readJsonMember } from './member.js';
import type { Members } from './members.js';

/** manifest.json, and how the rest of its bundle is to be read. */
export interface ReadManifest {
  readonly manifest: Manifest;
  readonly schema: BundleSchema;
}

/**
 * Reads manifest.json.
 *
 * @throws StepforkError `missing_file`, `invalid_json`, `unsupported_schema`, `invalid_manifest`
 */
export function readManifest(members: Members): ReadManifest {
  const file = join(members.path, 'manifest.json');
  const json = readDocument(members, 'manifest.json');
  const schema = schemaFor(json, file);
  const parsed = schema.manifest(json);
  if (!parsed.ok) throw invalidManifest(file, parsed.problem);
  return { manifest: parsed.value, schema };
}

/** Reads redactions.json; the same errors, a wrong shape being `invalid_manifest` too. */
export function readRedactions(members: Members): readonly RedactionEntry[] {
  const file = join(members.path, 'redactions.json');
  const json = readDocument(members, 'redactions.json');
  const parsed = schemaFor(json, file).redactions(json);
  if (!parsed.ok) throw invalidManifest(file, parsed.problem);
  return parsed.value;
}

function readDocument(members: Members, name: string): JsonObject {
  const json: Json = readJsonMember(members, name);
  if (!isJsonObject(json)) throw invalidManifest(join(members.path, name), 'not a JSON object');
  return json;
}

/** The version is looked at before anything else: another one may mean other rules. */
function schemaFor(json: JsonObject, file: string): BundleSchema {
  const version = Object.hasOwn(json, 'schema_version') ? json.schema_version : undefined;
  const schema = schemaOf(version);
  if (schema !== null) return schema;
  const found = typeof version === 'string' ? `schema version '${displayText(version)}'` : 'no schema version';
  throw new StepforkError('unsupported_schema', `${file}: ${found}; this release reads ${knownVersions()}`, {
    details: { file },
  });
}

function invalidManifest(file: string, problem: string): StepforkError {
  return new StepforkError('invalid_manifest', `${file}: ${problem}`, { details: { file } });
}
