import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { jsonSchemaFiles } from '../../src/schema/json-schemas.js';

const home = fileURLToPath(new URL('../../', import.meta.url));
const bundles = [join(home, 'fixtures/0.1'), join(home, '../../../shared/reference/bundles')]
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.sftrace') && existsSync(join(path, 'manifest.json')));

const shipped = (name: string): string => readFileSync(join(home, 'schemas', name), 'utf8');

/** A validator made from the shipped file alone. */
function validator(name: string): z.ZodType {
  return z.fromJSONSchema(JSON.parse(shipped(name)) as Parameters<typeof z.fromJSONSchema>[0]);
}

/** The JSON documents in a file of a bundle. */
function documentsIn(bundle: string, file: string): unknown[] {
  const path = join(bundle, file);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const texts = file.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text];
  return texts.map((one) => JSON.parse(one) as unknown);
}

const FILES: readonly (readonly [schema: string, file: string])[] = [
  ['0.1/manifest.json', 'manifest.json'],
  ['0.1/event.json', 'events.jsonl'],
  ['0.1/redactions.json', 'redactions.json'],
  ['0.1/integrity.json', 'integrity.json'],
  ['0.1/runtime.json', 'runtime.jsonl'],
];

describe('the JSON Schema files', () => {
  it('are what the schemas that read bundles give', () => {
    const files = jsonSchemaFiles();
    expect(Object.keys(files).sort()).toEqual(FILES.map(([schema]) => schema).sort());
    for (const [name, text] of Object.entries(files)) expect(shipped(name)).toBe(text);
  });

  it('are shipped', () => {
    const { files } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { files: string[] };
    expect(files).toContain('schemas');
  });

  it.each(FILES)('%s takes every %s that was written', (schema, file) => {
    const accepts = validator(schema);
    const documents = bundles.flatMap((bundle) => documentsIn(bundle, file));
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) expect(accepts.safeParse(document)).toMatchObject({ success: true });
  });

  it.each(FILES)('%s refuses a %s that lacks something or has too much', (schema, file) => {
    const accepts = validator(schema);
    const [document] = documentsIn(join(home, 'fixtures/0.1/every_event.sftrace'), file) as [Record<string, unknown>];
    expect(accepts.safeParse(document).success).toBe(true);
    const required =
      schema === '0.1/event.json' ? Object.keys(document).filter((key) => key !== 'input') : Object.keys(document);
    for (const key of required) {
      const { [key]: _left, ...rest } = document;
      expect([key, accepts.safeParse(rest).success]).toEqual([key, false]);
    }
    // Records of runtime.jsonl may grow.
    expect(accepts.safeParse({ ...document, colour: 1 }).success).toBe(schema === '0.1/runtime.json');
  });
});
