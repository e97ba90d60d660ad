import { jsonText } from '../json/native.js';
import type { Finding } from '../sealed.js';
import { MANIFEST_ENTRY_ID, type RedactionEntry } from './documents.js';

/** What was redacted so far: in event order, then in finding order, each place and reason once. */
export class RedactionList {
  readonly #entries = new Map<string, RedactionEntry>();

  add(eventId: string, findings: readonly Finding[]): void {
    for (const { path, reason } of findings) {
      const key = jsonText([eventId, path, reason]);
      if (!this.#entries.has(key)) {
        this.#entries.set(key, { event_id: eventId, path, reason, replacement: '[REDACTED]' });
      }
    }
  }

  /** All of them, the manifest's last. */
  entries(manifestFindings: readonly Finding[]): readonly RedactionEntry[] {
    this.add(MANIFEST_ENTRY_ID, manifestFindings);
    return [...this.#entries.values()];
  }
}
