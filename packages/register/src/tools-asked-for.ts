import type { Json } from '@stepfork/trace-format';

type Found = Readonly<Record<string, Json | undefined>>;

/** How the wire formats of providers and of SDKs say that a model asks for a tool. */
const FORMS: readonly ((found: Found) => Json | undefined)[] = [
  // OpenAI, chat; Mistral, Groq and the rest.
  ({ type, function: called }) => (type === 'function' && isCalled(called) ? called.name : undefined),
  // OpenAI, responses.
  ({ type, name }) => (type === 'function_call' || type === 'custom_tool_call' ? name : undefined),
  // Anthropic; Bedrock has `toolUse`.
  ({ type, name }) => (type === 'tool_use' ? name : undefined),
  ({ toolUse }) => (isObject(toolUse) ? toolUse.name : undefined),
  // Google.
  ({ functionCall }) => (isObject(functionCall) ? functionCall.name : undefined),
  // AI SDK, other than what the provider ran itself.
  ({ type, toolName, providerExecuted }) => (type === 'tool-call' && providerExecuted !== true ? toolName : undefined),
];

/** Names of the tools that a model's answer asks for, wherever in it. */
export function toolsAskedFor(answer: Json): readonly string[] {
  const said = isObject(answer) && typeof answer.body === 'string' ? documentIn(answer.body) : null;
  return said === null ? namesIn(answer) : namesIn(said);
}

/** Of an answer whose exact text is recorded, the document that it is. */
function documentIn(body: string): Json | null {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return null;
  }
}

function namesIn(answer: Json): readonly string[] {
  if (Array.isArray(answer)) return answer.flatMap(namesIn);
  if (!isObject(answer)) return [];
  const names = FORMS.map((form) => form(answer)).filter((name) => typeof name === 'string');
  return [...names, ...Object.values(answer).flatMap((value) => (value === undefined ? [] : namesIn(value)))];
}

/** A description of a tool has a name as well, and no arguments. */
function isCalled(called: Json | undefined): called is Readonly<Record<string, Json>> {
  return isObject(called) && 'arguments' in called;
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
