import { createRedactor } from '@stepfork/redact';
import {
  createTrace,
  openBundle,
  runEndEvent,
  runStartEvent,
  toolCallEvent,
  toolResultEvent,
} from '@stepfork/trace-format/write';
import { flights, QUERY } from './flights.js';

/** Writes a finished run of so many calls, 4 KB each, and answers its path. */
export function writeBundle(path: string, calls: number): string {
  const redactor = createRedactor();
  const { events: _events, runtime: _runtime, ...manifest } = createTrace({ agentName: 'bench', status: 'completed' });
  const sealed = redactor.redactManifest(manifest);
  const writer = openBundle({ path, manifest: sealed });
  const { run_id } = manifest;
  const output = flights(4_096) as never;
  let step = 0;
  writer.append(redactor.redactEvent(runStartEvent({ run_id, step: step++, input: null })));
  for (let n = 0; n < calls; n++) {
    const call = toolCallEvent({ run_id, step: step++, name: 'search_flights', input: { ...QUERY, n } });
    writer.append(redactor.redactEvent(call));
    writer.append(
      redactor.redactEvent(
        toolResultEvent({ run_id, step: step++, parent_id: call.id, name: 'search_flights', output }),
      ),
    );
  }
  writer.append(redactor.redactEvent(runEndEvent({ run_id, step, run_status: 'completed', output: null })));
  return writer.finish(sealed);
}
