import { Buffer } from 'node:buffer';
import { types } from 'node:util';
import { own } from '../own.js';

/** The last that Anthropic, OpenAI's Responses and the AI SDK send. */
const LAST_TYPES: readonly unknown[] = [
  'message_stop',
  'response.completed',
  'response.failed',
  'response.incomplete',
  'finish',
];
const SSE_END = 'data: [DONE]';
/** An SSE end is the last of its chunk. */
const TAIL_BYTES = 64;

/** Knows from its chunks that a model's answer is complete: whoever stops reading then has missed nothing. */
export class TerminalChunk {
  #isReached = false;
  /** Of OpenAI's choices, by index: whether they have ended. */
  readonly #choices = new Map<unknown, boolean>();

  get isReached(): boolean {
    return this.#isReached;
  }

  see(chunk: unknown): void {
    this.#isReached ||= isLast(chunk) || this.#isLastChoice(chunk);
  }

  #isLastChoice(chunk: unknown): boolean {
    const choices = own(chunk, 'choices');
    if (!Array.isArray(choices) || choices.length === 0) return false;
    for (const choice of choices as unknown[]) {
      const reason = own(choice, 'finish_reason');
      this.#choices.set(own(choice, 'index'), reason !== undefined && reason !== null);
    }
    return [...this.#choices.values()].every((hasEnded) => hasEnded);
  }
}

function isLast(chunk: unknown): boolean {
  if (typeof chunk === 'string') return chunk.trim() === '[DONE]' || chunk.includes(SSE_END);
  if (types.isUint8Array(chunk)) return tailOf(chunk).includes(SSE_END);
  return LAST_TYPES.includes(own(chunk, 'type'));
}

function tailOf(bytes: Uint8Array): string {
  const tail = bytes.subarray(-TAIL_BYTES);
  return Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).toString('latin1');
}
