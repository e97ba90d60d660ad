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
  const fault = config(value, '');
  if (fault === null) return value as StepforkConfig;
  if (fault.key === 'it') throw badConfig(file, null, 'holds no object. It needs one, like { "traces": "traces" }.');
  throw badConfig(file, fault.key, `${fault.what.replace(/[^.?]$/, '$&.')}`);
}
