import type { ReplayMode } from '@stepfork/replay';

/** What the command line says of a replay. */
export interface Given {
  /** A bundle, or a folder of bundles. */
  readonly bundle: string;
  readonly entrypoint: string | undefined;
  readonly mode: ReplayMode;
  readonly liveLlm: readonly string[] | undefined;
  readonly allowLiveTool: readonly string[] | undefined;
  readonly ignore: readonly string[] | undefined;
  readonly expectOutput: string | undefined;
  readonly input: string | undefined;
  readonly order: 'recorded' | 'strict' | 'any';
  readonly allow: readonly string[] | undefined;
  readonly observe: boolean | undefined;
  readonly skipSleeps: boolean | undefined;
  readonly now: string | undefined;
  readonly record: string | undefined;
  readonly overwrite: boolean | undefined;
  readonly repeat: number | undefined;
  /** Of a folder: the agent whose runs are replayed. */
  readonly agent: string | undefined;
  /** Milliseconds that a run may take. */
  readonly timeout: number | undefined;
  readonly verbose: boolean | undefined;
  readonly json: boolean | undefined;
}

/** The flags of one bundle's replay, as a command line gives them. */
export function flagsOf(given: Given): readonly string[] {
  const { mode, order, observe, skipSleeps, repeat } = given;
  const texts = { 'expect-output': given.expectOutput, input: given.input, now: given.now };
  const lists = {
    'live-llm': given.liveLlm,
    'allow-live-tool': given.allowLiveTool,
    ignore: given.ignore,
    allow: given.allow,
  };
  return [
    `--mode=${mode}`,
    `--order=${order}`,
    ...Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [`--${name}=${text}`])),
    ...Object.entries(lists).flatMap(([name, list]) => (list ?? []).map((item) => `--${name}=${item}`)),
    ...(observe === true ? ['--observe'] : []),
    ...(skipSleeps === true ? ['--skip-sleeps'] : []),
    ...(repeat === undefined ? [] : [`--repeat=${repeat}`]),
  ];
}

/** The whole command line of one bundle's replay, but for the time that it may take. */
export function argvOf(given: Given): readonly string[] {
  const { bundle, entrypoint, record, overwrite, verbose, json } = given;
  return [
    'replay',
    ...(entrypoint === undefined ? [] : [`--entrypoint=${entrypoint}`]),
    ...flagsOf(given),
    ...(record === undefined ? [] : [`--record=${record}`]),
    ...(overwrite === true ? ['--overwrite'] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(json === true ? ['--json'] : []),
    // What begins with a dash is no flag there.
    '--',
    bundle,
  ];
}
