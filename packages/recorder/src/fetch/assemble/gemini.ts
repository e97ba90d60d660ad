import { isPlainObject } from '../../boundary/plain.js';
import { own } from '../../recording/own.js';
import { emptyFields, type Fields, mergeDelta } from './merge-delta.js';

/** The documents of Gemini's stream as the one that it gives where it does not stream. */
export function assembleGemini(events: readonly unknown[]): Fields {
  const answer = emptyFields();
  const candidates = new Map<unknown, Fields>();
  for (const event of events) {
    if (!isPlainObject(event)) continue;
    const { candidates: parts, ...rest } = event;
    mergeDelta(answer, rest);
    for (const part of Array.isArray(parts) ? (parts as unknown[]) : []) addCandidate(candidates, part);
  }
  answer.candidates = [...candidates.values()];
  return answer;
}

function addCandidate(candidates: Map<unknown, Fields>, part: unknown): void {
  if (!isPlainObject(part)) return;
  const { content, ...rest } = part;
  const index = part.index ?? 0;
  const candidate = candidates.get(index) ?? emptyFields();
  candidates.set(index, candidate);
  mergeDelta(candidate, rest);
  if (!isPlainObject(content)) return;
  const said = listOf(own(candidate.content, 'parts'));
  candidate.content = { ...content, parts: listOf(content.parts).reduce(joined, said) };
}

/** A text goes on where it is of the same kind, said or thought, and carries nothing else. */
function joined(parts: readonly unknown[], part: unknown): readonly unknown[] {
  const last = parts.at(-1);
  if (!isText(last) || !isText(part) || last.thought !== part.thought) return [...parts, part];
  return [...parts.slice(0, -1), { ...last, ...part, text: last.text + part.text }];
}

interface Text {
  readonly text: string;
  readonly thought?: unknown;
}

function isText(part: unknown): part is Text {
  return isPlainObject(part) && typeof part.text === 'string';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
