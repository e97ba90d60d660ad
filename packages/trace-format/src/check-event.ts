import { StepforkError } from './errors.js';
import {
  EVENT_STATUSES,
  EVENT_TYPES,
  type EventType,
  REPLAY_POLICIES,
  RUN_STATUSES,
  type TraceEvent,
} from './event.js';
import { isAmount, isCount, isText, isTextList, isTimestamp, oneOf, orNull, type Rule } from './field-rules.js';
import { PAYLOAD_FIELDS } from './payloads.js';

const BASE_RULES: Readonly<Record<string, Rule>> = {
  id: isText,
  run_id: isText,
  parent_id: orNull(isText),
  step: isCount,
  timestamp: isTimestamp,
  duration_ms: orNull(isCount),
  status: oneOf(EVENT_STATUSES),
  replay_policy: oneOf(REPLAY_POLICIES),
  redactions: isTextList,
};

const OWN_RULES: Readonly<Record<EventType, Readonly<Record<string, Rule>>>> = {
  run_start: {},
  llm_request: { provider: orNull(isText), model: isText },
  llm_response: {
    model: orNull(isText),
    prompt_tokens: orNull(isCount),
    completion_tokens: orNull(isCount),
    total_tokens: orNull(isCount),
    cost_usd: orNull(isAmount),
  },
  tool_call: { name: isText },
  tool_result: { name: isText },
  state_change: { key: orNull(isText) },
  error: { error_type: isText, message: isText },
  run_end: { run_status: oneOf(RUN_STATUSES) },
};

/** The fields of each type that are no payload, and what may stand in them. */
export const EVENT_RULES = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, { ...BASE_RULES, ...OWN_RULES[type] }]),
) as Readonly<Record<EventType, Readonly<Record<string, Rule>>>>;

type NamedRule = readonly [name: string, rule: Rule];

/** Listed once: a program may have given all objects one more property, which is no rule. */
const RULES: ReadonlyMap<string, readonly NamedRule[]> = new Map(
  EVENT_TYPES.map((type) => [type, Object.entries(EVENT_RULES[type])]),
);

/**
 * Returns the event if it keeps the rules of the format.
 *
 * @throws StepforkError `invalid_event` naming the field.
 */
export function checkEvent<E extends TraceEvent>(event: E): E {
  const rules = RULES.get(event.type);
  if (rules === undefined) throw invalid(event, 'type');
  checkFields(event, rules);
  for (const field of PAYLOAD_FIELDS[event.type]) {
    if (field.required && (event as unknown as Record<string, unknown>)[field.name] === undefined) {
      throw invalid(event, field.name);
    }
  }
  return event;
}

function checkFields(event: TraceEvent, rules: readonly NamedRule[]): void {
  for (const [name, rule] of rules) {
    if (!rule((event as unknown as Record<string, unknown>)[name])) throw invalid(event, name);
  }
}

function invalid(event: TraceEvent, field: string): StepforkError {
  const value = (event as unknown as Record<string, unknown>)[field];
  const given = value === undefined ? 'missing' : value === '' ? 'empty' : 'not what the format allows';
  return new StepforkError('invalid_event', `event of type '${String(event.type)}': '${field}' is ${given}`, {
    details: { type: event.type, field },
  });
}
