import { traceSdkTool } from '@stepfork/recorder/fetch';
import { isPlainObject } from '@stepfork/trace-format/write';
import { isCallable, isRecord, withMembers } from './shape.js';

/** Tools by name, as `generateText` takes them. */
type ToolSet = Readonly<Record<string, Tool>>;

interface Tool {
  readonly execute?: unknown;
}

export function isToolSet(target: object): target is ToolSet {
  return isPlainObject(target) && Object.values(target).every(isTool);
}

/** One without `execute` is run by the provider, or by whoever reads the answer. */
function isTool(value: unknown): value is Tool {
  return isRecord(value) && ['inputSchema', 'execute', 'id'].some((key) => key in value);
}

/**
 * The same tools, each of them traced under its name; those that cannot run as they are. Copies: one tool may stand under
 * several names.
 */
export function traceToolSet<T extends ToolSet>(tools: T): T {
  const traced = Object.entries(tools).map(([name, tool]) => [name, traceOne(name, tool)] as const);
  return traced.every(([name, tool]) => tool === tools[name]) ? tools : withMembers(tools, traced);
}

function traceOne(name: string, tool: Tool): Tool {
  const { execute } = tool;
  if (!isCallable(execute)) return tool;
  const traced = traceSdkTool(execute, { name });
  return traced === execute ? tool : withMembers(tool, [['execute', traced]]);
}
