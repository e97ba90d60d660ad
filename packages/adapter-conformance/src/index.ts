export type { AdapterUnderTest, ConformanceCheck, Connection, Question, WeatherTool } from './contract.js';
export { type RoundTrip, type RoundTripOptions, roundTrip } from './round-trip.js';
export { adapterLaws } from './suite.js';
export { describeError, thrownBy } from './thrown.js';
export { startAnthropicServer } from './wire/anthropic.js';
export { startOpenAiServer } from './wire/openai.js';
export { sse, startWireServer, type WireAnswer, type WireRequest, type WireServer } from './wire/server.js';
export { GOOD_KEY, MODELS, WRONG_KEY } from './wire/trouble.js';
