import { displayText } from '@stepfork/trace-format';
import { hostAndPort, hostName, namesOfHost } from './host.js';

/** One attempt to reach what lies outside the process. */
export interface WayOut {
  readonly kind: 'connection' | 'lookup' | 'process' | 'worker';
  /** What is tried, for a person: `connect 127.0.0.1:5432`. */
  readonly what: string;
  /** All that an allow list may call its goal. */
  readonly names: readonly string[];
}

/** `verb` done to a host; where there is no host but a path, to a socket or pipe in the file system. */
export function toHost(verb: string, host: string, port?: unknown): WayOut {
  const name = hostName(host);
  return { kind: 'connection', what: named(verb, hostAndPort(name, port)), names: namesOfHost(name, port) };
}

/** `verb` done to something that has no address, or whose address is a path. */
export function toThing(verb: string, thing: string, names: readonly string[]): WayOut {
  return { kind: 'connection', what: named(verb, thing), names };
}

export function toName(verb: string, name: string): WayOut {
  const host = hostName(name);
  return { kind: 'lookup', what: named(verb, host), names: namesOfHost(host) };
}

export function toProgram(kind: 'process' | 'worker', verb: string, path: string): WayOut {
  const name = baseName(path);
  return { kind, what: named(verb, name), names: [path, name, name.replace(/\.exe$/i, '')] };
}

/** Last part of a path of either system. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/](?=.)/, '');
}

function named(verb: string, goal: string): string {
  return displayText(`${verb} ${goal}`);
}
