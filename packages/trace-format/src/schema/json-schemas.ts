import * as z from 'zod';
import { runtimeRecordSchema } from './runtime.js';
import { eventSchema } from './v0-1/event.js';
import { writtenForms } from './v0-1/fields.js';
import { integritySchema } from './v0-1/integrity.js';
import { manifestSchema } from './v0-1/manifest.js';
import { redactionsSchema } from './v0-1/redactions.js';

/** What each file of a bundle holds, by the name of the JSON Schema file that says so. */
const SCHEMAS: Readonly<Record<string, readonly [title: string, schema: z.ZodType]>> = {
  '0.1/manifest.json': ['manifest.json of a trace bundle, schema version 0.1', manifestSchema],
  '0.1/event.json': ['One line of events.jsonl of a trace bundle, schema version 0.1', eventSchema],
  '0.1/redactions.json': ['redactions.json of a trace bundle, schema version 0.1', redactionsSchema],
  '0.1/integrity.json': ['integrity.json of a trace bundle, schema version 0.1', integritySchema],
  '0.1/runtime.json': ['One line of runtime.jsonl of a trace bundle, stepfork-runtime/1', runtimeRecordSchema],
};

/**
 * The JSON Schema files that are shipped, by name. They say what is written; what is read is more, since the original
 * converts and fills in. Run `node scripts/write-schemas.mjs` after a change.
 */
export function jsonSchemaFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, [title, schema]]) => [name, layOut(jsonSchema(title, schema))]),
  );
}

const LINE_WIDTH = 120;
const LIST_OF_STRINGS = /\[\s+("[^"]*"(?:,\s+"[^"]*")*)\s+\],?/g;

/** The text as the repository's formatter lays it out: a list of strings on one line where it fits. */
function layOut(json: object): string {
  const text = JSON.stringify(json, null, 2);
  const fitted = text.replace(LIST_OF_STRINGS, (list: string, items: string, at: number) => {
    const line = `[${items.replace(/,\s+/g, ', ')}]${list.endsWith(',') ? ',' : ''}`;
    const column = at - text.lastIndexOf('\n', at) - 1;
    return column + line.length <= LINE_WIDTH ? line : list;
  });
  return `${fitted}\n`;
}

function jsonSchema(title: string, schema: z.ZodType): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'output',
    unrepresentable: 'any',
    metadata: writtenForms,
    // What is left out when reading is filled in; some of it with the time and with random ids.
    override: ({ jsonSchema: node }) => delete node.default,
  });
  return { $schema, title, ...rest };
}
