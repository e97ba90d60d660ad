/** Words that cannot name a binding in a module. */
const RESERVED = new Set(
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield async of undefined NaN Infinity'.split(
    ' ',
  ),
);

/** Names that every generated test may use for itself. */
const TAKEN = new Set(
  'run config expected recorded trajectory expectation replayCase ReplayReport require module exports process global globalThis Promise Error'.split(
    ' ',
  ),
);

/**
 * The local name of the imported entrypoint: its own where that is free, else `agent`.
 *
 * @param used what else the test imports
 */
export function localName(exportName: string, used: readonly string[]): string {
  const free = !RESERVED.has(exportName) && !TAKEN.has(exportName) && !used.includes(exportName);
  return exportName !== 'default' && free && /^[A-Za-z_$][\w$]*$/.test(exportName) ? exportName : 'agent';
}
