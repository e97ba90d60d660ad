import type { Zone } from './zone.js';

/** Options of a formatter, with the zone as their time zone where they name none. */
export function withZone(options: unknown, zone: Zone): unknown {
  if (options === null) return null;
  const given: object = Object(options ?? {});
  if (Reflect.get(given, 'timeZone') !== undefined) return options;
  return Object.create(given, { timeZone: { value: zone.name } });
}
