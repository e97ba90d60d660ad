export type { ChunkOf, Codec, ErrorClass, LlmUsage, ResponseOf } from './boundary/handler.js';
export { type LlmRequest, llmRequest } from './boundary/llm.js';
export { type ToolOptions, traceTool } from './boundary/tool.js';
export { type ToolboxOptions, traceTools } from './boundary/tools.js';
export type { RecordingOptions } from './options.js';
export { type RecordOptions, record } from './record.js';
export { type SaveOptions, saveTrace } from './save-trace.js';
export type { Session } from './session.js';
export { type AgentOptions, traceAgent } from './trace-agent.js';
