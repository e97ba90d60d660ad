import { isRecord } from './shape.js';

/** Options that say how a request is sent, and not what is asked. */
const TRANSPORT: readonly string[] = ['abortSignal', 'headers'];

/** What is recorded of a request and what a replay matches. */
export function inputOf(method: string, options: unknown): unknown {
  if (!isRecord(options)) return { method, options };
  const asked = Object.entries(options).filter(([name, value]) => value !== undefined && !TRANSPORT.includes(name));
  return { method, ...Object.fromEntries(asked) };
}
