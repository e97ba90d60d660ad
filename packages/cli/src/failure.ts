import { sep } from 'node:path';
import { displayText, isStepforkError } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode, exitCodeOf, isSystemError } from './exit-code.js';
import { inFlags } from './flag-names.js';
import { withNextStep } from './next-step.js';
import type { Terminal } from './terminal.js';

const ISSUES = 'https://github.com/stepfork/stepfork-ts/issues';

/**
 * One line on stderr that says what, where and what to do next; with `json` also a document on stdout, so that
 * a program that reads it finds one whatever happened. Returns the exit code.
 */
export function reportFailure(
  error: unknown,
  terminal: Terminal,
  { json, debug }: { readonly json: boolean; readonly debug: boolean },
): ExitCode {
  const exitCode = exitCodeOf(error);
  const code = isStepforkError(error) ? error.code : isSystemError(error) ? 'system' : 'internal';
  const message = displayText(sentence(error));
  if (json) terminal.result(JSON.stringify({ schema: 'stepfork.error/1', error: code, message }, null, 2));
  terminal.message(`stepfork: ${message}`);
  if (exitCode === EXIT.bug) {
    terminal.message(
      `This is a bug in Stepfork. Please report it at ${ISSUES} with the output of the same command and --debug.`,
    );
  }
  if (debug) terminal.message(stackOf(error));
  return exitCode;
}

/** Libraries name files absolutely; a person at this prompt knows where it is. */
function fromHere(text: string): string {
  try {
    return text.replaceAll(`${process.cwd()}${sep}`, '');
  } catch {
    // The current directory was deleted.
    return text;
  }
}

function sentence(error: unknown): string {
  const text = fromHere(messageOf(error));
  if (isStepforkError(error)) return withNextStep(error.code, inFlags(text));
  if (!isSystemError(error)) return text;
  if (error.syscall === 'uv_cwd') return 'the current directory is not there any more. Change to one that is.';
  return `${text}. Check that the path is right and may be used.`;
}

/** The first line: the rest of a many-line message (a code frame) is for `--debug`. */
export function messageOf(error: unknown): string {
  const text =
    typeof error === 'object' && error !== null && typeof (error as { message?: unknown }).message === 'string'
      ? (error as { message: string }).message
      : String(error);
  return text.split('\n', 1)[0] ?? '';
}

function stackOf(error: unknown): string {
  const lines: string[] = [];
  for (let at = error; at !== undefined && lines.length < 5; at = (at as { cause?: unknown } | null)?.cause) {
    const stack = (at as { stack?: unknown } | null)?.stack;
    lines.push(`${lines.length > 0 ? 'caused by: ' : ''}${typeof stack === 'string' ? stack : messageOf(at)}`);
  }
  // The stack's own lines stay; what drives a terminal within them does not.
  return lines
    .flatMap((stack) => stack.split('\n'))
    .map(displayText)
    .join('\n');
}
