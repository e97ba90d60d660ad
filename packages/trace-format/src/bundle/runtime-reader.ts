import type { Buffer } from 'node:buffer';
import { isStepforkError, StepforkError } from '../errors.js';
import type { Json } from '../json.js';
import type { RuntimeRecord } from '../runtime.js';
import { isRuntimeHeader, parseRuntimeRecord } from '../schema/runtime.js';
import { RUNTIME_FILE } from './layout.js';
import { type MemberLine, memberLines } from './lines.js';
import { parseBytes } from './member.js';
import type { Members, OpenMember } from './members.js';

/**
 * The records of runtime.jsonl, one at a time. None where there is no such file or it does not begin with our header:
 * schema 0.1 lets a bundle hold members of any name. A torn last line, as a killed process leaves it, is not read.
 *
 * @throws StepforkError `invalid_runtime`
 */
export function* runtimeRecords(members: Members): Generator<RuntimeRecord, void, undefined> {
  const member = openRuntime(members);
  if (member === null) return;
  try {
    for (const line of memberLines(member)) {
      const json = jsonOf(line, member.file);
      if (line.number === 1 && (json === null || !isRuntimeHeader(json.value))) return;
      const record = json === null ? null : recordOf(json.value, member.file, line.number);
      if (record !== null) yield record;
    }
  } finally {
    member.close();
  }
}

/**
 * Reads the lines of a runtime.jsonl whose end may be torn, one after another. Those of a file that is not ours need
 * only be JSON.
 *
 * @returns takes a line; throws StepforkError `invalid_json` or `invalid_runtime`
 */
export function runtimeLineReader(file: string): (bytes: Buffer, line: number) => void {
  let isOurs = false;
  return (bytes, line) => {
    const json = parseBytes(bytes, file, line);
    if (line === 1) isOurs = isRuntimeHeader(json);
    if (isOurs) recordOf(json, file, line);
  };
}

/** Whether there is a runtime.jsonl of ours. */
export function hasRuntime(members: Members): boolean {
  for (const _header of runtimeRecords(members)) return true;
  return false;
}

function openRuntime(members: Members): OpenMember | null {
  try {
    return members.open(RUNTIME_FILE);
  } catch (error) {
    if (isStepforkError(error, 'missing_file')) return null;
    throw error;
  }
}

function jsonOf(line: MemberLine, file: string): { readonly value: Json } | null {
  try {
    return { value: parseBytes(line.bytes, file, line.number) };
  } catch (error) {
    if (line.number === 1 || !line.terminated) return null;
    throw invalidRuntime(file, line.number, 'not JSON', error);
  }
}

function recordOf(json: Json, file: string, line: number): RuntimeRecord | null {
  const parsed = parseRuntimeRecord(json);
  if (parsed.ok) return parsed.value;
  throw invalidRuntime(file, line, parsed.problem);
}

function invalidRuntime(file: string, line: number, problem: string, cause?: unknown): StepforkError {
  return new StepforkError('invalid_runtime', `${file}:${line}: ${problem}`, { details: { file, line }, cause });
}
