import { STATUS_CODES } from 'node:http';

/** How an answer, or what comes before one, is written to a connection. */
export type Head = { readonly status: number; readonly statusText?: string | undefined };

/** @param entries names and values; what cannot be one of a header is left out */
export function headBytes({ status, statusText }: Head, entries: Iterable<readonly [string, string]>): Buffer {
  const text = (statusText || STATUS_CODES[status] || '').replace(/[\r\n]/g, ' ');
  return Buffer.from(`HTTP/1.1 ${status} ${text}\r\n${linesOf(entries)}\r\n`, 'latin1');
}

/** By which the other side knows where a body ends that has no length. */
export const CHUNKED = ['transfer-encoding', 'chunked'] as const;

export function chunkBytes(piece: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
}

export function endBytes(trailers: Readonly<Record<string, string>> = {}): Buffer {
  return Buffer.from(`0\r\n${linesOf(Object.entries(trailers))}\r\n`, 'latin1');
}

function linesOf(entries: Iterable<readonly [string, string]>): string {
  return [...entries].flatMap(([name, value]) => (isLine(name, value) ? [`${name}: ${value}\r\n`] : [])).join('');
}

function isLine(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !/[\r\n\0]/.test(value);
}
