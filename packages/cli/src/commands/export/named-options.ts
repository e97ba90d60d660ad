import { displayText, type Json, type JsonObject, StepforkError } from '@stepfork/trace-format';

/** `style=terse` and `depth=2`, as the options of an exporter: JSON where it is some, else a text. */
export function namedOptions(given: readonly string[]): JsonObject {
  const options = new Map<string, Json>();
  for (const text of given) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new StepforkError(
        'usage',
        `--option needs a name and a value, like style=terse, not '${displayText(text)}'`,
      );
    }
    options.set(name, jsonOrText(value));
  }
  return Object.fromEntries(options);
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
