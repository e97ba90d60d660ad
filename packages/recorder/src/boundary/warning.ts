import process from 'node:process';
import { slot } from './slot.js';

/** More than any program has tools: beyond it, names are being made up, and neither log nor memory may fill. */
const MOST = 1_000;

/**
 * Tells the operator, once in this process for each code and subject: an agent that serves a million requests
 * must not log a million times.
 */
export function warnOnce(code: string, subject: string, message: string): void {
  const key = `${code}\n${subject}`;
  const shared = slot();
  shared.warned ??= new Set();
  if (shared.warned.has(key) || shared.warned.size >= MOST) return;
  shared.warned.add(key);
  try {
    process.emitWarning(message, { type: 'StepforkWarning', code });
  } catch {
    // A program may have put a function of its own there, and nobody asked to be warned.
  }
}
