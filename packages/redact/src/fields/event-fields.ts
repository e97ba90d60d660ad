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

/** Per type of event, the names of the fields that may be changed, sorted, and whether they are payloads. */
const FIELDS: Readonly<Record<string, readonly { readonly name: string; readonly isPayload: boolean }[]>> =
  Object.fromEntries(
    Object.entries(PAYLOAD_FIELDS).map(([type, payloads]) => [
      type,
      [
        ...TEXT_FIELDS.map((name) => ({ name, isPayload: false })),
        ...payloads.map(({ name }) => ({ name: name as string, isPayload: true })),
      ].sort((a, b) => compareCodePoints(a.name, b.name)),
    ]),
  );

/** The fields of an event that may be changed, by name, as far as they hold anything. */
export function eventFields(event: TraceEvent): readonly EventField[] {
  const values = event as unknown as Readonly<Record<string, Json | undefined>>;
  const fields: EventField[] = [];
  for (const { name, isPayload } of FIELDS[event.type] ?? []) {
    const value = values[name];
    if (value !== undefined && (isPayload || typeof value === 'string')) fields.push({ name, value, isPayload });
  }
  return fields;
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
