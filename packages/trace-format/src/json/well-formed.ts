/** Node has it since version 20; the language version that is compiled for does not name it. */
interface WellFormed {
  isWellFormed(): boolean;
  toWellFormed(): string;
}

/** Whether the string can be written as UTF-8: no surrogate stands alone. */
export function isWellFormed(text: string): boolean {
  return (text as unknown as WellFormed).isWellFormed();
}

/** The string with U+FFFD for every surrogate that stands alone, for text that is only shown. */
export function toWellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed();
}
