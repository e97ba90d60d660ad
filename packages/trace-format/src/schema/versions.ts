import type { BundleSchema } from './bundle-schema.js';
import { SCHEMA_0_1 } from './v0-1/schema.js';

const SCHEMAS: ReadonlyMap<unknown, BundleSchema> = new Map([[SCHEMA_0_1.version, SCHEMA_0_1]]);

/** The schema of a version, or null for one that this release does not know. */
export function schemaOf(version: unknown): BundleSchema | null {
  return SCHEMAS.get(version) ?? null;
}

/** `0.1`: the versions that can be read, for messages. */
export function knownVersions(): string {
  return [...SCHEMAS.keys()].join(', ');
}
