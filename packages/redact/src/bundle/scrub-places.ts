import {
  type Finding,
  isJsonArray,
  isJsonObject,
  type Json,
  type Manifest,
  parsePointer,
  StepforkError,
  type TraceEvent,
} from '@stepfork/trace-format/write';
import { eventFields } from '../fields/event-fields.js';
import { compilePointers, type PointerSteps } from '../pointer-rules.js';

/** A place in a bundle, as redactions.json names it. */
export interface ScrubPlace {
  /** Id of an event; `__manifest__` for the manifest. */
  readonly event_id: string;
  /** JSON Pointer from the event's root. A segment `*` stands for any key or index. */
  readonly path: string;
}

/** Event id under which redactions of the manifest are listed. */
export const MANIFEST_ID = '__manifest__';

/** The places to be scrubbed, by event. */
export class ScrubPlaces {
  readonly #pointers = new Map<string, string[]>();
  /** Events that have not come by yet. */
  readonly #awaited: Set<string>;

  /** @throws StepforkError `bad_scrub_place` */
  constructor(places: readonly ScrubPlace[]) {
    for (const { event_id, path } of places) {
      if (typeof event_id !== 'string' || typeof path !== 'string' || parsePointer(path) === null) {
        throw badPlace(String(event_id), String(path), 'is not a JSON Pointer such as /input/token');
      }
      this.#pointers.set(event_id, [...(this.#pointers.get(event_id) ?? []), path]);
    }
    this.#awaited = new Set(this.#pointers.keys());
  }

  get isEmpty(): boolean {
    return this.#pointers.size === 0;
  }

  /** Where the pointers of an event lead; null for one that has none. */
  stepsOf(eventId: string): PointerSteps {
    return compilePointers(this.#pointers.get(eventId) ?? []).root;
  }

  /**
   * Makes sure that each pointer of an event leads to something that may be changed.
   *
   * @throws StepforkError `bad_scrub_place`
   */
  checkEvent(event: TraceEvent): void {
    const fields = Object.fromEntries(eventFields(event).map(({ name, value }) => [name, value]));
    this.#check(event.id, fields, () => true);
  }

  /** The same for the manifest, of which single texts may be changed. */
  checkManifest({ agent_name, failure, environment }: Manifest): void {
    const { type = null, message = null } = failure ?? {};
    const texts = { agent_name, failure: { type, message }, environment: { ...environment } };
    this.#check(MANIFEST_ID, texts, (value) => typeof value === 'string');
  }

  /** Makes sure that every event that was named came by. */
  checkAllSeen(): void {
    for (const id of this.#awaited)
      throw badPlace(id, this.#pointers.get(id)?.[0] ?? '', 'names no event of the bundle');
  }

  #check(id: string, fields: Json, mayEnd: (value: Json) => boolean): void {
    this.#awaited.delete(id);
    for (const path of this.#pointers.get(id) ?? []) {
      const keys = parsePointer(path) ?? [];
      if (keys.length === 0 || !leadsSomewhere(fields, keys, mayEnd)) {
        throw badPlace(id, path, 'leads to nothing that may be changed');
      }
    }
  }
}

function leadsSomewhere(value: Json, keys: readonly string[], mayEnd: (value: Json) => boolean): boolean {
  const [key, ...rest] = keys;
  if (key === undefined) return mayEnd(value);
  if (!isJsonObject(value) && !isJsonArray(value)) return false;
  return Object.entries(value).some(
    ([name, item]) => (key === '*' || key === name) && leadsSomewhere(item, rest, mayEnd),
  );
}

function badPlace(id: string, path: string, problem: string): StepforkError {
  return new StepforkError('bad_scrub_place', `pointer '${path}' at '${id}' ${problem}`, {
    details: { event_id: id, path },
  });
}

/** Why a place is redacted, where a scrub did it. */
export const SCRUBBED = 'scrubbed';

/** Findings of a scrub. */
export function scrubbed(findings: readonly Finding[]): readonly Finding[] {
  return findings.map(({ path }) => ({ path, reason: SCRUBBED }));
}
