import { createHash } from 'node:crypto';
import { appendFileSync, closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '@stepfork/redact';
import {
  type BundleWriter,
  createTrace,
  newRunId,
  openBundle,
  type TraceEvent,
  toolResultEvent,
} from '@stepfork/trace-format/write';
import { stringify } from 'safe-stable-stringify';
import type { Bench } from '../bench.js';
import { flights } from '../data/flights.js';
import { inFolder } from '../measure/folder.js';
import { type Case, measureRounds } from '../measure/rounds.js';

const PATTERNS = [
  /sk-[A-Za-z0-9_-]{20,}/g,
  /ghp_[A-Za-z0-9]{36}/g,
  /AKIA[0-9A-Z]{16}/g,
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /Bearer\s+[\w.-]+/gi,
  /xox[abp]-[\w-]+/g,
];

export const event: Bench = {
  name: 'event',
  question: 'What does one event of 4 KB cost, redacted, canonically hashed and safe against kill -9?',
  run: async (effort) =>
    inFolder(async (folder) => {
      const payload = flights(4_096);
      const made = toolResultEvent({ name: 'search_flights', output: payload as never });
      const times = effort === 'full' ? 3_000 : 20;
      const rows = await measureRounds([floor(folder, made), ours(folder, made), recipe(folder, made)], {
        rounds: effort === 'full' ? 15 : 1,
        times,
        reference: 'floor: JSON.stringify, write',
        nanoseconds: 1_000,
      });
      return [
        {
          title: 'One event of 4 KB',
          unit: 'µs an event',
          reference: 'floor: JSON.stringify, write',
          method: `${times} events into one file, in interleaved rounds; the file is new in each.`,
          rows,
        },
      ];
    }),
};

function floor(folder: string, made: TraceEvent): Case {
  let descriptor = 0;
  let file = 0;
  return {
    name: 'floor: JSON.stringify, write',
    before: () => {
      descriptor = openSync(
        join(folder, `floor-${file++}`),
        constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
      );
    },
    run: (times) => {
      let written = 0;
      for (let i = 0; i < times; i++) written += writeSync(descriptor, `${JSON.stringify(made)}\n`);
      return written;
    },
    after: () => closeSync(descriptor),
  };
}

function ours(folder: string, made: TraceEvent): Case {
  let writer: BundleWriter;
  let redactor = createRedactor();
  return {
    name: 'Stepfork: redact, canonical text, hash, write',
    before: () => {
      redactor = createRedactor();
      const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'bench' });
      writer = openBundle({
        path: join(folder, `${newRunId()}.sftrace`),
        manifest: redactor.redactManifest(manifest),
      });
    },
    run: (times) => {
      let last: unknown;
      for (let i = 0; i < times; i++) last = writer.append(redactor.redactEvent({ ...made, id: `evt_${i}` }));
      return last;
    },
    after: () => writer.abandon(),
  };
}

/** What is usually written: regular expressions one by one over a copy, a stable text for the hash, another to store. */
function recipe(folder: string, made: TraceEvent): Case {
  let file = 0;
  let path = '';
  return {
    name: 'the usual recipe: six regexes, stable-stringify, SHA-256, appendFile',
    before: () => {
      path = join(folder, `recipe-${file++}`);
    },
    run: (times) => {
      let hash = '';
      for (let i = 0; i < times; i++) {
        const clean = scrubbed(made) as { output: unknown };
        hash = createHash('sha256')
          .update(stringify(clean.output) ?? '')
          .digest('hex');
        appendFileSync(path, `${JSON.stringify({ ...clean, output_hash: hash })}\n`);
      }
      return hash;
    },
  };
}

function scrubbed(value: unknown): unknown {
  if (typeof value === 'string') return PATTERNS.reduce((text, pattern) => text.replace(pattern, '[REDACTED]'), value);
  if (Array.isArray(value)) return value.map(scrubbed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, scrubbed(each)]));
}
