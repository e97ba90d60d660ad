import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Failure,
  isJsonObject,
  isPartialPath,
  type Json,
  type JsonObject,
  parseJson,
} from '@stepfork/trace-format/write';
import { isSystemError } from '../exit-code.js';
import { messageOf } from '../failure.js';
import { folderHeads, type Heads, packedHeads } from './heads.js';

/** A recorded run as its manifest tells it. Nothing in it is redacted anew or fit for a terminal. */
export interface Run {
  /** From the current directory, as far as the folder was given so. */
  readonly path: string;
  readonly run_id: string;
  readonly agent_name: string;
  readonly created_at: string;
  /** `created_at` in milliseconds since the epoch. */
  readonly createdAt: number;
  readonly status: 'running' | 'completed' | 'failed';
  readonly failure: Failure | null;
  readonly events: number;
  readonly calls: { readonly tool: number; readonly llm: number };
  readonly duration_ms: number | null;
  readonly cost_usd: number | null;
  readonly tags: { readonly [name: string]: string };
  /** In bytes. */
  readonly size: number;
  /** One file instead of a folder. */
  readonly packed: boolean;
  /** It still lies where it is written to: its process records on, or was killed. */
  readonly unfinished: boolean;
  /** Milliseconds since the epoch of the last write into an unfinished one. */
  readonly writtenAt: number;
}

/** Something that is named as a bundle and shows no run. */
export interface Unreadable {
  readonly path: string;
  /** One line, without the path. */
  readonly reason: string;
}

export type Glance = Run | Unreadable;

export const isRun = (glance: Glance): glance is Run => 'run_id' in glance;

/** Looks at a bundle's manifest and the first line of its runtime.jsonl, and at nothing else. Never throws. */
export function glanceAt(folder: string, name: string): Glance {
  const path = join(folder, name);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { path, reason: 'it leads to nothing' };
    const packed = stats.isFile();
    if (!packed && !stats.isDirectory()) return { path, reason: 'it is neither a folder nor a file' };
    const heads = packed ? packedHeads(path) : folderHeads(path);
    return typeof heads === 'string' ? { path, reason: heads } : runOf(path, heads, packed);
  } catch (error) {
    return { path, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error);
  const isStat = error.syscall === 'stat';
  if (error.code === 'ENOENT') return 'it has no manifest.json';
  if (error.code === 'ELOOP') return isStat ? 'it leads to nothing' : 'its manifest.json is a link';
  return `it cannot be read (${error.code})`;
}

function runOf(path: string, { manifest: bytes, runtime, size, writtenAt }: Heads, packed: boolean): Glance {
  const manifest = jsonObjectOf(bytes);
  if (manifest === null) return { path, reason: 'its manifest.json is no JSON object' };
  const { schema_version: version, run_id, agent_name, created_at, status } = manifest;
  if (version !== '0.1') {
    const what = typeof version === 'string' ? `schema version '${version}'` : 'no schema version';
    return { path, reason: `it has ${what}; this release reads 0.1` };
  }
  const createdAt = typeof created_at === 'string' ? Date.parse(created_at) : Number.NaN;
  if (typeof run_id !== 'string' || run_id === '') return broken(path, 'run_id');
  if (typeof agent_name !== 'string' || agent_name === '') return broken(path, 'agent_name');
  if (typeof created_at !== 'string' || Number.isNaN(createdAt)) return broken(path, 'created_at');
  if (status !== 'running' && status !== 'completed' && status !== 'failed') return broken(path, 'status');
  const totals = isJsonObject(manifest.totals) ? manifest.totals : {};
  return {
    path,
    run_id,
    agent_name,
    created_at,
    createdAt,
    status,
    failure: failureOf(manifest.failure),
    events: amount(totals.events) ?? 0,
    calls: { tool: amount(totals.tool_calls) ?? 0, llm: amount(totals.llm_calls) ?? 0 },
    duration_ms: amount(totals.duration_ms),
    cost_usd: amount(totals.cost_usd),
    tags: tagsOf(runtime),
    size,
    packed,
    unfinished: isPartialPath(path),
    writtenAt,
  };
}

const broken = (path: string, field: string): Unreadable => ({
  path,
  reason: `the '${field}' of its manifest.json is not what the format allows`,
});

const amount = (json: Json | undefined): number | null => (typeof json === 'number' ? json : null);

function failureOf(json: Json | undefined): Failure | null {
  if (!isJsonObject(json)) return null;
  const { type, message, step } = json;
  return typeof type === 'string' && typeof message === 'string' ? { type, message, step: amount(step) ?? 0 } : null;
}

/** The tags in the header of a runtime.jsonl; none where it is not ours. */
function tagsOf(line: Heads['runtime']): { readonly [name: string]: string } {
  const header = line === null ? null : jsonObjectOf(line);
  if (header?.type !== 'runtime' || !isJsonObject(header.tags)) return {};
  const tags = Object.entries(header.tags).filter((tag): tag is [string, string] => typeof tag[1] === 'string');
  return Object.fromEntries(tags);
}

function jsonObjectOf(bytes: NonNullable<Heads['runtime']>): JsonObject | null {
  if (!isUtf8(bytes)) return null;
  try {
    const json = parseJson(bytes.toString('utf8'), { nonFinite: true });
    return isJsonObject(json) ? json : null;
  } catch {
    return null;
  }
}
