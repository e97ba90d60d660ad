import { lstatSync } from 'node:fs';
import { relative } from 'node:path';
import { type ScrubbedBundle, type ScrubOptions, type ScrubPlace, scrubBundle } from '@stepfork/redact/bundle';
import { displayText, isStepforkError, StepforkError } from '@stepfork/trace-format/write';
import { EXIT, type ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';
import { formatPlace } from './place.js';

interface Given {
  readonly bundle: string;
  readonly pointer: readonly ScrubPlace[] | undefined;
  readonly valueFromStdin: boolean | undefined;
  readonly output: string | undefined;
}

export async function runScrub(given: Given, terminal: Terminal): Promise<ExitCode> {
  const { bundle, pointer: pointers, output, valueFromStdin } = given;
  if (output !== undefined) requireFreePlace(output);
  const value = valueFromStdin ? await readValue(terminal) : undefined;
  const { path, places } = scrubbed(bundle, {
    pointers,
    value,
    ...(output === undefined ? { inPlace: true } : { to: output }),
  });
  const what = places.length === 0 ? 'only runtime.jsonl had it' : placesIn(places.length);
  terminal.result(`scrubbed ${displayText(relative('', path))}: ${what}`);
  for (const place of places) terminal.result(`  ${displayText(formatPlace(place))}`);
  return EXIT.same;
}

/** The library speaks to whoever calls it of its options. */
function scrubbed(bundle: string, options: ScrubOptions): ScrubbedBundle {
  try {
    return scrubBundle(bundle, options);
  } catch (error) {
    if (!isStepforkError(error, 'invalid_argument')) throw error;
    const message = error.message
      .replace(/^scrubBundle: /, '')
      .replace("'value' must be a text", 'the text on stdin must be one')
      .replace('by pointers', 'with --pointer');
    throw new StepforkError(error.code, message, { cause: error });
  }
}

/** The library would offer an option that is none of this command's. */
function requireFreePlace(output: string): void {
  if (lstatSync(output, { throwIfNoEntry: false }) === undefined) return;
  throw new StepforkError(
    'output_exists',
    `${output} exists already. Name another place, or leave --output out to scrub the bundle in place.`,
    { details: { file: output } },
  );
}

/** A value on a command line would stay in the shell's history. `echo` ends it with a line feed that is none of it. */
async function readValue(terminal: Terminal): Promise<string> {
  return (await terminal.input()).replace(/\r?\n$/, '');
}

const placesIn = (count: number): string => `${count} ${count === 1 ? 'place' : 'places'}`;
