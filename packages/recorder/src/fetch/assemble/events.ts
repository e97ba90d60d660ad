import { areFrames, eventsOfFrames } from './frames.js';

/** Of a body, in order. */
export type Chunks = readonly Uint8Array[];

/**
 * The JSON documents that a streamed body holds: the data of server-sent events, lines of JSON, or frames of AWS. What
 * is none of these is passed over.
 */
export function eventsOf(chunks: Chunks): readonly unknown[] {
  if (chunks[0]?.[0] === 0) {
    const bytes = Buffer.concat(chunks);
    if (areFrames(bytes)) return eventsOfFrames(bytes);
  }
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
  const events: unknown[] = [];
  let data: string[] = [];
  const dispatch = (): void => {
    const event = documentOf(data.join('\n'));
    if (event !== undefined) events.push(event);
    data = [];
  };
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length));
    else if (line === '') dispatch();
    else if (line.startsWith('{')) events.push(documentOf(line));
  }
  dispatch();
  return events;
}

function documentOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
