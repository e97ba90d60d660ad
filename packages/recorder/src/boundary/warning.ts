import process from 'node:process';

/** More than any program has tools: beyond it, names are being made up, and neither log nor memory may fill. */
const MOST = 1_000;
const said = new Set<string>();

/**
 * Tells the operator, once in this process for each code and subject: an agent that serves a million requests
 * must not log a million times.
 */
export function warnOnce(code: string, subject: string, message: string): void {
  const key = `${code}\n${subject}`;
  if (said.has(key) || said.size >= MOST) return;
  said.add(key);
  try {
    process.emitWarning(message, { type: 'StepforkWarning', code });
  } catch {
    // A program may have put a function of its own there, and nobody asked to be warned.
  }
}
