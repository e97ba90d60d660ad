import { relative } from 'node:path';
import { isStepforkError, loadTrace, type Trace } from '@stepfork/trace-format';
import { toolsAskedFor } from './tools-asked-for.js';

/** What is to be said of a recorded process, a line each. */
export function reportOf(path: string, agent: string, reached: readonly string[]): readonly string[] {
  const trace = load(path);
  if (trace === null) return [];
  const calls = trace.events.filter(({ type }) => type === 'llm_request' || type === 'tool_call').length;
  const ran = toolsOutside(trace);
  return [
    `recorded '${agent}', ${calls} ${calls === 1 ? 'call' : 'calls'}, in ${relative('', path) || path}`,
    ...(ran.length === 0
      ? []
      : [
          `these tools ran outside the recording, and would run for real on replay: ${ran.join(', ')}. Give them to traceTool or to an adapter's instrument`,
        ]),
    ...(reached.length === 0
      ? []
      : [
          `the run reached these outside its recorded calls: ${reached.join(', ')}. Do so in a function given to traceTool`,
        ]),
  ];
}

/** A run whose bundle could not be written has been told of by the recorder. */
function load(path: string): Trace | null {
  try {
    return loadTrace(path);
  } catch (error) {
    if (isStepforkError(error)) return null;
    throw error;
  }
}

/** Those that a model asked for, and no boundary saw. */
function toolsOutside({ events }: Trace): readonly string[] {
  const seen = new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : [])));
  const asked = events.flatMap((event) => (event.type === 'llm_response' ? toolsAskedFor(event.output) : []));
  return [...new Set(asked)].filter((name) => !seen.has(name));
}
