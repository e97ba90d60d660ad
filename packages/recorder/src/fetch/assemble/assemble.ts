import { own } from '../../recording/own.js';
import { assembleAnthropic } from './anthropic-message.js';
import { assembleChat } from './chat-completion.js';
import { assembleConverse, isConverse } from './converse.js';
import { assembleGemini } from './gemini.js';

/** The last events of OpenAI's Responses: each has the whole response. */
const RESPONSE_OVER: readonly unknown[] = ['response.completed', 'response.incomplete', 'response.failed'];

/** The message that a streamed answer's events make together; undefined where they are of no known kind. */
export function assemble(events: readonly unknown[]): unknown {
  const over = events.find((event) => RESPONSE_OVER.includes(own(event, 'type')));
  if (over !== undefined) return own(over, 'response');
  if (events.some((event) => own(event, 'type') === 'message_start')) return assembleAnthropic(events);
  if (events.some(isConverse)) return assembleConverse(events);
  if (events.some((event) => Array.isArray(own(event, 'candidates')))) return assembleGemini(events);
  return events.some((event) => Array.isArray(own(event, 'choices'))) ? assembleChat(events) : undefined;
}
