import { parsePointer } from '@stepfork/trace-format/write';
import { nearest } from '../nearest.js';

/** What is wrong with a value, and under which key below it; null where nothing is. */
export type Fault = { readonly key: string; readonly what: string } | null;
export type Check = (value: unknown, key: string) => Fault;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const need = (key: string, what: string): Fault => ({ key, what: `must be ${what}` });

/** A text that says something. */
export const text: Check = (value, key) => {
  if (typeof value !== 'string' || value.trim() === '') return need(key, 'a text');
  return value.includes('\0') ? need(key, 'a text without NUL characters, which no path and no name holds') : null;
};

export const aFunction: Check = (value, key) =>
  typeof value === 'function' ? null : need(key, 'a function, which JSON cannot hold');

export const oneOf =
  (...known: readonly string[]): Check =>
  (value, key) =>
    known.some((each) => each === value) ? null : need(key, known.map((each) => `'${each}'`).join(' or '));

export const listOf =
  (item: Check): Check =>
  (value, key) =>
    Array.isArray(value)
      ? firstOf(value.map((each, index) => () => item(each, `${key}[${index}]`)))
      : need(key, 'a list');

/** Any names, each with a value of one kind. */
export const recordOf =
  (item: Check, name: Check = () => null): Check =>
  (value, key) => {
    if (!isRecord(value)) return need(key, 'an object');
    const entries = Object.entries(value);
    return firstOf(
      entries.map(
        ([each, child]) =>
          () =>
            name(each, `${key}.${each}`) ?? item(child, `${key}.${each}`),
      ),
    );
  };

/** These names and no others, each of which may be absent. */
export const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, key) => {
    if (!isRecord(value)) return need(key, 'an object');
    const at = (name: string): string => (key === '' ? name : `${key}.${name}`);
    return firstOf(
      Object.entries(value).map(([name, child]) => () => {
        const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (check !== undefined) return child === undefined ? null : check(child, at(name));
        const near = nearest(name, Object.keys(fields));
        const next = near === null ? `Keys are ${Object.keys(fields).join(', ')}.` : `Did you mean '${near}'?`;
        return { key: at(name), what: `is no key of a configuration. ${next}` };
      }),
    );
  };

export const pointer: Check = (value, key) =>
  typeof value === 'string' && parsePointer(value) !== null ? null : need(key, "a JSON Pointer like '/messages/0/id'");

/** `tool:search`, `llm:openai/gpt-4o`, `llm:*`. */
export const callName: Check = (value, key) =>
  typeof value === 'string' && /^(?:tool|llm):./s.test(value)
    ? null
    : { key, what: "is about no call: write 'tool:<name>', 'llm:<model>' or 'llm:*'" };

export const entrypoint: Check = (value, key) =>
  typeof value === 'string' && /[^:]:[^:\\/]+$/.test(value) && !value.includes('\0')
    ? null
    : need(key, "<file>:<export>, like 'src/agent.ts:runAgent'");

export const pattern: Check = (value, key) => {
  if (Object.prototype.toString.call(value) === '[object RegExp]') return null;
  if (typeof value !== 'string' || value === '') return need(key, 'a regular expression');
  try {
    new RegExp(value, 'u');
    return null;
  } catch {
    return need(key, 'a regular expression');
  }
};

function firstOf(checks: readonly (() => Fault)[]): Fault {
  for (const check of checks) {
    const fault = check();
    if (fault !== null) return fault;
  }
  return null;
}
