export {
  type BoundaryCall,
  type BoundaryHandler,
  type Codec,
  type ErrorClass,
  type Frame,
  HANDLER_VERSION,
  type InnerOutcome,
  type InnerRun,
  type LlmUsage,
  type StreamTaken,
} from './boundary/handler.js';
export { frameHere } from './boundary/here.js';
export { type LlmRequest, llmRequest } from './boundary/llm.js';
export { observe } from './boundary/observe.js';
export { createReplacements, ownerOf, type Replacements, type Undo } from './boundary/replacements.js';
export { fromRunInput, toRunInput } from './boundary/run-input.js';
export { isAborted } from './boundary/signals.js';
export { type Slot, slot } from './boundary/slot.js';
export type { Act, StreamObserver } from './boundary/stream/observer.js';
export { streamKind } from './boundary/stream/stream-kind.js';
export { watchIfStream } from './boundary/stream/watch-stream.js';
export { describeThrown, type Thrown } from './boundary/thrown.js';
export { type ToolOptions, traceTool } from './boundary/tool.js';
export type { AnyFunction } from './boundary/traced.js';
export { isDisabled } from './disabled.js';
export { type ProcessRun, recordProcess } from './record-process.js';
export { type CandidateOptions, openCandidate } from './recording/candidate.js';
export type { Recording } from './recording/recording.js';
export { outputOf } from './streamed-output.js';
