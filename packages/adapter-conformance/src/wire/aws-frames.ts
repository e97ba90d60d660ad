import { crc32 } from 'node:zlib';

/** One event as AWS streams it: binary, with headers that say what it is, and checksums. */
export function awsFrame(event: string, payload: object): Uint8Array {
  const body = Buffer.from(JSON.stringify(payload));
  const headers = Buffer.concat(
    [
      [':event-type', event],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ].map(([name = '', value = '']) => header(name, value)),
  );
  const head = Buffer.alloc(8);
  // With the lengths, their checksum, and the one at the end.
  head.writeUInt32BE(16 + headers.length + body.length, 0);
  head.writeUInt32BE(headers.length, 4);
  const unsigned = Buffer.concat([head, checksum(head), headers, body]);
  return Buffer.concat([unsigned, checksum(unsigned)]);
}

const TEXT = 7;

function header(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([TEXT]),
    length,
    Buffer.from(value),
  ]);
}

function checksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
