import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { createRedactor } from '@stepfork/redact';
import { canonicalJson, type Json, sha256 } from '@stepfork/trace-format/write';
import type { Bench, Effort, Table } from '../bench.js';
import { flights, QUERY } from '../data/flights.js';
import { inFolder } from '../measure/folder.js';
import { type Case, measureRounds } from '../measure/rounds.js';
import { langSmith } from '../peers/langsmith.js';
import { openTelemetry } from '../peers/otel.js';
import { syncPino } from '../peers/pino.js';

const OTEL = 'OpenTelemetry span, batch processor, file exporter';

export const recording: Bench = {
  name: 'record',
  question: 'What does recording add to a tool call?',
  run: async (effort) => [
    await tableOf('4 KB', 4_096, 1_000, effort),
    await tableOf('64 KB', 65_536, 150, effort),
    await tableOf('1 MB', 1 << 20, 10, effort),
  ],
};

async function tableOf(size: string, bytes: number, times: number, effort: Effort): Promise<Table> {
  const result = flights(bytes);
  const body = async (_query: typeof QUERY): Promise<typeof result> => result;
  const rows = await inFolder((folder) =>
    measureRounds(casesOf(folder, body), {
      rounds: effort === 'full' ? 15 : 1,
      times: effort === 'full' ? times : 3,
      reference: OTEL,
      nanoseconds: 1_000,
    }),
  );
  return {
    title: `A tool call, 300 B in, ${size} out`,
    unit: 'µs a call',
    reference: OTEL,
    method: `${times} awaited calls a run, interleaved; starting and finishing the run are part of it.`,
    rows,
  };
}

type Tool = (query: typeof QUERY) => Promise<unknown>;

function casesOf(folder: string, body: Tool): readonly Case[] {
  const path = (name: string): (() => string) => {
    let file = 0;
    return () => join(folder, `${name}-${file++}`);
  };
  const repeat = async (tool: Tool, times: number): Promise<unknown> => {
    let last: unknown;
    for (let i = 0; i < times; i++) last = await tool(QUERY);
    return last;
  };
  const traced = traceTool('search_flights', body);
  const bundle = path('run');
  const floorFile = path('floor');
  const otelFile = path('otel');
  const pinoFile = path('pino');
  const { tool, run } = langSmith();
  const traceable = tool('search_flights', body);
  return [
    { name: 'the bare function', run: (times) => repeat(body, times) },
    { name: 'Stepfork, nothing active', run: (times) => repeat(traced, times) },
    {
      name: 'floor: stringify, redaction scan, canonical SHA-256, append',
      run: (times) => floor(floorFile(), (wrap) => repeat((query) => wrap(query, body), times)),
    },
    {
      name: 'Stepfork, recording',
      run: (times) =>
        record('bench', { output: `${bundle()}.sftrace` }, async () => {
          await repeat(traced, times);
        }),
    },
    {
      name: OTEL,
      run: async (times) => {
        const { call, end } = openTelemetry(otelFile());
        const last = await repeat((query) => call('search_flights', query, () => body(query)), times);
        await end();
        return last;
      },
    },
    {
      name: 'pino, both payloads, written at once',
      run: async (times) => {
        const { call, end } = syncPino(pinoFile());
        const last = await repeat((query) => call('search_flights', query, () => body(query)), times);
        end();
        return last;
      },
    },
    { name: 'LangSmith traceable, without a network', run: (times) => run(() => repeat(traceable, times)) },
  ];
}

/** The least that can be done for what a recording promises, without its checks, ids, contexts and limits. */
async function floor(
  path: string,
  work: (wrap: (query: typeof QUERY, body: Tool) => Promise<unknown>) => Promise<unknown>,
): Promise<unknown> {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  const redactor = createRedactor();
  const write = (type: string, payload: unknown): void => {
    const text = canonicalJson(redactor.redact(payload as Json).value);
    writeSync(descriptor, `{"type":"${type}","hash":"${sha256(text)}","payload":${text}}\n`);
  };
  const last = await work(async (query, body) => {
    write('call', query);
    const result = await body(query);
    write('result', result);
    return result;
  });
  closeSync(descriptor);
  return last;
}
