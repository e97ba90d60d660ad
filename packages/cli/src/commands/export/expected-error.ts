import { displayText, StepforkError } from '@stepfork/trace-format/write';

/** `RefundError`, or `RefundError: too late`, as Node prints an error. */
export function expectedError(text: string): { readonly type: string; readonly message?: string } {
  const [, type = '', said = ''] = /^([^:]*)(?::(.*))?$/s.exec(text.trim()) ?? [];
  const message = said.trim();
  if (type.trim() === '') {
    throw new StepforkError(
      'usage',
      `--expect-error needs the name of an error, like RefundError or 'RefundError: too late', not '${displayText(text)}'`,
    );
  }
  return message === '' ? { type: type.trim() } : { type: type.trim(), message };
}
