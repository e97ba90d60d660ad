import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/** Collects the process warnings of each test; the function that it gives waits for them and picks those of a code. */
export function collectWarnings(): (code: string) => Promise<string[]> {
  let seen: (Error & { code?: string })[] = [];
  const listen = (warning: Error): void => {
    seen.push(warning);
  };
  beforeEach(async () => {
    // Warnings of the test before come with the next tick.
    await setImmediate();
    seen = [];
    process.on('warning', listen);
  });
  afterEach(() => {
    process.off('warning', listen);
  });
  return async (code) => {
    await setImmediate();
    return seen.filter((warning) => warning.code === code).map((warning) => warning.message);
  };
}
