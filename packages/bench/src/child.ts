// A piece of work in a process of its own, so that its time and its peak memory are its own.
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { canonicalJson, type Json, loadTrace, sha256, validateBundle } from '@stepfork/trace-format';
import * as z from 'zod';

const PAYLOADS = ['input', 'output', 'before', 'after', 'details'] as const;
const envelope = z.looseObject({
  id: z.string(),
  run_id: z.string(),
  type: z.string(),
  step: z.number(),
  timestamp: z.string(),
});

const tasks: Readonly<Record<string, (bundle: string) => unknown>> = {
  parse: (bundle) => parseLines(join(bundle, 'events.jsonl')),
  verify: (bundle) => {
    const { valid, integrity } = validateBundle(bundle, { verifyIntegrity: true });
    if (!valid || integrity !== 'verified') throw new Error('the bundle that was measured is not valid');
    return integrity;
  },
  load: (bundle) => loadTrace(bundle).events.length,
  readline: (bundle) => readline(join(bundle, 'events.jsonl')),
};

/** The least that reading takes: large reads into one buffer, lines cut at byte 10, JSON.parse. */
function parseLines(path: string): number {
  const descriptor = openSync(path, 'r');
  const buffer = Buffer.allocUnsafe(1 << 20);
  let rest = Buffer.alloc(0);
  let events = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, 0, buffer.length, null);
    if (read === 0) break;
    let data = buffer.subarray(0, read);
    if (rest.length > 0) data = Buffer.concat([rest, data]);
    let from = 0;
    for (let end = data.indexOf(10, from); end !== -1; end = data.indexOf(10, from)) {
      JSON.parse(data.toString('utf8', from, end));
      events++;
      from = end + 1;
    }
    rest = Buffer.from(data.subarray(from));
  }
  closeSync(descriptor);
  return events;
}

/** As it is usually written. */
async function readline(path: string): Promise<number> {
  let events = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const event = JSON.parse(line) as Record<string, Json>;
    envelope.parse(event);
    for (const name of PAYLOADS) {
      if (name in event) z.json().parse(event[name]);
      if (name in event) sha256(canonicalJson(event[name] as Json));
    }
    events++;
  }
  return events;
}

const [task = '', bundle = ''] = process.argv.slice(2);
const start = process.hrtime.bigint();
const result = await tasks[task]?.(bundle);
const ms = Number(process.hrtime.bigint() - start) / 1e6;
process.stdout.write(JSON.stringify({ ms, rss: process.resourceUsage().maxRSS * 1024, result }));
