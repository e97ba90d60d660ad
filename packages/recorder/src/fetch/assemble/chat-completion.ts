import { isPlainObject } from '../../boundary/plain.js';
import { emptyFields, type Fields, mergeDelta } from './merge-delta.js';

/** The chunks of a chat completion as the one answer that they make. */
export function assembleChat(events: readonly unknown[]): Fields {
  const completion = emptyFields();
  const choices = new Map<unknown, Fields>();
  for (const event of events) {
    if (!isPlainObject(event)) continue;
    const { choices: parts, ...rest } = event;
    mergeDelta(completion, rest);
    for (const part of Array.isArray(parts) ? (parts as unknown[]) : []) addPart(choices, part);
  }
  completion.object = 'chat.completion';
  completion.choices = [...choices.values()];
  return completion;
}

function addPart(choices: Map<unknown, Fields>, part: unknown): void {
  if (!isPlainObject(part)) return;
  const { delta, ...rest } = part;
  let choice = choices.get(part.index);
  if (choice === undefined) {
    choice = emptyFields();
    choices.set(part.index, choice);
  }
  // `text`, of an older API, stands in the choice itself.
  mergeDelta(choice, delta === undefined ? rest : { ...rest, message: delta });
}
