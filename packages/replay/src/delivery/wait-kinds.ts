/**
 * Resources by which the agent's own code can go on without a recorded outcome: what async_hooks calls them, and
 * how long each takes.
 */
export type WaitKind =
  /** As long as it says. */
  | 'timer'
  /** Until the next turn of the event loop. */
  | 'turn'
  /** As long as a file takes. */
  | 'file'
  /** As long as a digest or a key takes. */
  | 'job'
  /** Nobody knows: a connection, a process, another thread. */
  | 'open';

const KINDS: ReadonlyMap<string, WaitKind> = new Map([
  ['Timeout', 'timer'],
  ['Immediate', 'turn'],
  ['FSREQCALLBACK', 'file'],
  ['FSREQPROMISE', 'file'],
  ['FILEHANDLECLOSEREQ', 'file'],
  ['GETADDRINFOREQWRAP', 'open'],
  ['GETNAMEINFOREQWRAP', 'open'],
  ['QUERYWRAP', 'open'],
  ['TCPCONNECTWRAP', 'open'],
  ['TCPWRAP', 'open'],
  ['PIPECONNECTWRAP', 'open'],
  ['PIPEWRAP', 'open'],
  ['UDPSENDWRAP', 'open'],
  ['HTTPCLIENTREQUEST', 'open'],
  ['HTTP2SESSION', 'open'],
  ['PROCESSWRAP', 'open'],
  ['WORKER', 'open'],
  ['MESSAGEPORT', 'open'],
]);

/** Jobs of node:crypto and Web Crypto are many, and all named alike. */
const CRYPTO_JOB = /REQUEST$/;

/** null for everything else: promises, ticks, handles that only listen. */
export function waitKind(type: string): WaitKind | null {
  return KINDS.get(type) ?? (CRYPTO_JOB.test(type) ? 'job' : null);
}
