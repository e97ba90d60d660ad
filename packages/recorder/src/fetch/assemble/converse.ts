import { isPlainObject } from '../../boundary/plain.js';
import { own } from '../../recording/own.js';
import { emptyFields, type Fields, mergeDelta } from './merge-delta.js';

/** Of Bedrock's Converse: only its events say which block of a message they are about. */
export function isConverse(event: unknown): boolean {
  return typeof own(event, 'contentBlockIndex') === 'number';
}

/** The events of Bedrock's Converse as the one answer that they make, as it has it where it does not stream. */
export function assembleConverse(events: readonly unknown[]): Fields {
  const answer = emptyFields();
  const message = emptyFields();
  const blocks = new Map<unknown, Fields>();
  for (const event of events) {
    if (!isPlainObject(event)) continue;
    // What fills an event up, so that its length tells nothing.
    const { p: _padding, role, contentBlockIndex: index, start, delta, ...rest } = event;
    if (role !== undefined) message.role = role;
    if (index === undefined) mergeDelta(answer, rest);
    else addDelta(blockAt(blocks, index), start, delta);
  }
  message.content = [...blocks.values()].map(withInput);
  answer.output = { message };
  return answer;
}

function blockAt(blocks: Map<unknown, Fields>, index: unknown): Fields {
  const block = blocks.get(index) ?? emptyFields();
  blocks.set(index, block);
  return block;
}

function addDelta(block: Fields, start: unknown, delta: unknown): void {
  mergeDelta(block, start);
  const before = own(block.toolUse, 'input');
  mergeDelta(block, delta);
  const { toolUse } = block;
  if (isPlainObject(toolUse) && typeof before === 'string' && own(own(delta, 'toolUse'), 'input') !== undefined) {
    // JSON text that comes piece by piece.
    (toolUse as Fields).input = before + String(toolUse.input);
  }
}

function withInput(block: Fields): Fields {
  const { toolUse } = block;
  if (!isPlainObject(toolUse) || typeof toolUse.input !== 'string') return block;
  try {
    return { ...block, toolUse: { ...toolUse, input: JSON.parse(toolUse.input || '{}') } };
  } catch {
    return block;
  }
}
