import { displayText, StepforkError } from '@stepfork/trace-format';

/** The function a test replays: a source file, and the name under which the file exports it. */
export interface Entrypoint {
  /** As given: relative to wherever the caller says, or absolute. */
  readonly file: string;
  /** `default`, or an identifier. */
  readonly exportName: string;
}

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u;

/**
 * Parses `<file>:<export>`. The last colon divides, so `C:\agents\notify.ts:run` is understood.
 *
 * @throws StepforkError `bad_entrypoint` when a part is missing or the export is not an identifier.
 */
export function parseEntrypoint(text: string): Entrypoint {
  const colon = text.lastIndexOf(':');
  const file = text.slice(0, Math.max(colon, 0));
  const exportName = text.slice(colon + 1);
  if (colon === -1 || file === '' || !IDENTIFIER.test(exportName)) {
    throw new StepforkError(
      'bad_entrypoint',
      `entrypoint '${displayText(text)}' must read <file>:<export>, for example src/agent.ts:runAgent or src/agent.ts:default`,
      { details: { entrypoint: text } },
    );
  }
  return { file, exportName };
}
