import { displayText, StepforkError } from '@stepfork/trace-format/write';

/** A fault of a configuration, told by the file and, where there is one, the key. */
export function badConfig(file: string, key: string | null, what: string, cause?: unknown): StepforkError {
  const where = key === null ? file : `${file}: '${key}'`;
  return new StepforkError('bad_config', displayText(`${where} ${what}`), {
    details: key === null ? { file } : { file, key },
    ...(cause === undefined ? {} : { cause }),
  });
}
