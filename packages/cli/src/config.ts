// What a project's `stepfork.config.ts` imports: one function, and types that need no other package.

/** JSON as a bundle holds it; an integer that a number cannot hold is a bigint. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** JSON Pointers by the calls that they are about: `{ 'tool:search': ['/now'], 'llm:*': ['/messages/0/id'] }`. */
export type PlacesByCall = Readonly<Record<string, readonly string[]>>;

/** Redaction rules beside the built-in ones. */
export interface RedactionRules {
  /** Default `default`. `0.1` is what the Python original does. */
  readonly ruleset?: 'default' | '0.1' | undefined;
  /** Keys whose value is redacted whole. */
  readonly keys?: readonly string[] | undefined;
  /** JSON Pointers, from the root of each payload, to values that are redacted whole. */
  readonly pointers?: readonly string[] | undefined;
  /** Shapes in strings; a text is the source of a regular expression. */
  readonly patterns?: readonly (RegExp | string)[] | undefined;
  /** Answer true for a value that is to be redacted whole. Not in JSON. */
  readonly functions?:
    | readonly ((value: JsonValue, place: { readonly path: string; readonly key: string | number | null }) => boolean)[]
    | undefined;
  readonly pii?: readonly ('email' | 'phone')[] | undefined;
}

/** What a project says once instead of on every command line. Paths are relative to the folder of the file. */
export interface StepforkConfig {
  /** The function that runs an agent, as `<file>:<export>`, by the agent's recorded name. */
  readonly entrypoints?: Readonly<Record<string, string>> | undefined;
  /** The folder of recorded bundles; `.stepfork/traces` unless given. */
  readonly traces?: string | undefined;
  /** What `export --to` names: `vitest`, `jest`, a package or a file. */
  readonly exporter?: string | undefined;
  /** The rules that this project records under, and that what is shown of a bundle is redacted by. */
  readonly redact?: RedactionRules | undefined;
  /** What of the inputs of calls is not compared. */
  readonly ignore?: PlacesByCall | undefined;
  /** All that is compared of the inputs of these calls. */
  readonly match?: PlacesByCall | undefined;
  /** What is compared in place of the inputs of these calls. Not in JSON. */
  readonly normalize?: Readonly<Record<string, (input: JsonValue) => unknown>> | undefined;
  readonly guard?:
    | {
        /** Hosts and commands that a replayed agent may reach besides its instrumented calls. */
        readonly allow?: readonly string[] | undefined;
      }
    | undefined;
}

/** Gives a configuration its type: `export default defineConfig({ entrypoints: { refund: 'src/refund.ts:run' } })`. */
export function defineConfig(config: StepforkConfig): StepforkConfig {
  return config;
}
