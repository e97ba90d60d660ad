import { isPlainObject } from '../../boundary/plain.js';
import { emptyFields, type Fields, mergeDelta } from './merge-delta.js';

/** The events of a message stream as the one message that they make. */
export function assembleAnthropic(events: readonly unknown[]): Fields {
  const message = emptyFields();
  const blocks = new Map<unknown, Fields>();
  for (const event of events) if (isPlainObject(event)) addEvent(message, blocks, event);
  message.content = [...blocks.values()].map(withInput);
  return message;
}

function addEvent(message: Fields, blocks: Map<unknown, Fields>, event: Readonly<Record<string, unknown>>): void {
  switch (event.type) {
    case 'message_start':
      mergeDelta(message, event.message);
      return;
    case 'message_delta':
      mergeDelta(message, event.delta);
      mergeDelta(message, event.usage === undefined ? {} : { usage: event.usage });
      return;
    case 'content_block_start': {
      const block = emptyFields();
      mergeDelta(block, event.content_block);
      blocks.set(event.index, block);
      return;
    }
    case 'content_block_delta':
      addDelta(blocks.get(event.index), event.delta);
  }
}

function addDelta(block: Fields | undefined, delta: unknown): void {
  if (block === undefined || !isPlainObject(delta)) return;
  const { type: _kind, partial_json: json, ...rest } = delta;
  if (typeof json !== 'string') mergeDelta(block, rest);
  // A tool's input starts as an empty object, and comes as JSON text.
  else block.input = typeof block.input === 'string' ? block.input + json : json;
}

function withInput(block: Fields): Fields {
  if (block.type !== 'tool_use' || typeof block.input !== 'string') return block;
  try {
    return { ...block, input: JSON.parse(block.input || '{}') };
  } catch {
    return block;
  }
}
