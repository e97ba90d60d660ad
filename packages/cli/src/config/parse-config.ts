import type { StepforkConfig } from '../config.js';
import { badConfig } from './bad-config.js';
import {
  aFunction,
  callName,
  entrypoint,
  listOf,
  objectOf,
  oneOf,
  pattern,
  pointer,
  recordOf,
  text,
} from './checks.js';
import { isDataFile } from './config-files.js';

const places = recordOf(listOf(pointer), callName);

const config = objectOf({
  entrypoints: recordOf(entrypoint),
  traces: text,
  exporter: text,
  redact: objectOf({
    ruleset: oneOf('default', '0.1'),
    keys: listOf(text),
    pointers: listOf(pointer),
    patterns: listOf(pattern),
    functions: listOf(aFunction),
    pii: listOf(oneOf('email', 'phone')),
  }),
  ignore: places,
  match: places,
  normalize: recordOf(aFunction, callName),
  guard: objectOf({ allow: listOf(text) }),
  // Editors ask for it in a JSON file.
  $schema: text,
});

/**
 * What a file holds, as a configuration.
 *
 * @throws StepforkError `bad_config`, which names the file and the key
 */
export function parseConfig(value: unknown, file: string): StepforkConfig {
  const other = kindOf(value);
  if (other !== null) throw badConfig(file, null, isDataFile(file) ? holdsOther(other) : exportsOther(file, other));
  const fault = config(value, '');
  if (fault === null) return value as StepforkConfig;
  throw badConfig(file, fault.key, `${fault.what.replace(/[^.?]$/, '$&.')}`);
}

/** What a value is that is no object with keys; null for one that is. */
function kindOf(value: unknown): string | null {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return null;
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

const holdsOther = (kind: string): string =>
  `holds ${kind}, and not an object. Write one, like { "traces": "traces" }.`;

function exportsOther(file: string, kind: string): string {
  const write = /\.c[jt]s$/.test(file) ? 'module.exports = { … }' : 'export default defineConfig({ … })';
  return `exports ${kind}, and not an object. Write: ${write}`;
}
