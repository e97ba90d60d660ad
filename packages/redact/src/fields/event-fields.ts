import { compareCodePoints, type Json, PAYLOAD_FIELDS, type TraceEvent } from '@stepfork/trace-format/write';

/** The texts of an event that are no payload and are not protected. */
const TEXT_FIELDS: readonly string[] = ['error_type', 'key', 'message', 'model', 'name', 'provider'];

/** A field of an event that may be changed. */
export interface EventField {
  readonly name: string;
  readonly value: Json;
  readonly isPayload: boolean;
}

/** What names the payloads of an event: the key whose state changed. */
export function keyOfPayloads(event: { readonly type?: unknown; readonly key?: unknown }): string | null {
  return event.type === 'state_change' && typeof event.key === 'string' ? event.key : null;
}

/** The fields of an event that may be changed, by name, as far as they hold anything. */
export function eventFields(event: TraceEvent): readonly EventField[] {
  const fields = event as unknown as Readonly<Record<string, Json | undefined>>;
  const payloads = PAYLOAD_FIELDS[event.type].map(({ name }): string => name);
  return [...TEXT_FIELDS, ...payloads].sort(compareCodePoints).flatMap((name): readonly EventField[] => {
    const value = fields[name];
    const isPayload = payloads.includes(name);
    return value === undefined || !(isPayload || typeof value === 'string') ? [] : [{ name, value, isPayload }];
  });
}

/** The event with each such field as `change` answers it; the same event when none changes. */
export function mapEventFields(event: TraceEvent, change: (field: EventField) => Json): TraceEvent {
  const changed: Record<string, Json> = {};
  for (const field of eventFields(event)) {
    const value = change(field);
    if (value !== field.value) changed[field.name] = value;
  }
  return Object.keys(changed).length === 0 ? event : ({ ...event, ...changed } as TraceEvent);
}
