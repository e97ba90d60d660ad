/**
 * The shapes of ids that model providers issue and agents echo: of OpenAI's responses, messages, tool calls and
 * reasoning, and of Anthropic's messages and tool uses.
 */
const ISSUED =
  /^((?:call|fc|ctc|msg|resp|rs|ws|run|thread|toolu|srvtoolu)_|(?:chatcmpl|cmpl|req)[-_])[A-Za-z0-9_-]{14,80}$/;

/** Lengths of the shortest and the longest such id. */
const SHORTEST = 'rs_'.length + 14;
const LONGEST = 'srvtoolu_'.length + 80;

/** `call_` for `call_9Kx…`; null for a text that is no such id. What is issued is random, and random texts hold digits. */
export function issuedPrefix(text: string): string | null {
  if (text.length < SHORTEST || text.length > LONGEST) return null;
  const prefix = ISSUED.exec(text)?.[1];
  return prefix !== undefined && /\d/.test(text) ? prefix : null;
}
