import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { describe, expect, test } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');
const fetch = createRecordedFetch(globalThis.fetch, { http: true });

const servers = localServers();
const serve = (body: string, status = 200): Promise<string> =>
  servers.serve((_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));

/** What is recorded of an answer, after it was seen that a replay gives the very text of it. */
async function recordedOf(body: string): Promise<{ readonly body: unknown }> {
  const origin = await serve(body);
  const agent = async (): Promise<string> => (await fetch(origin)).text();
  expect(await record('reader', { output: bundle() }, agent)).toBe(body);
  const report = await replay(bundle(), agent);
  expect([report.verdict, report.output]).toEqual(['matched', body]);
  return eventsOf(loadSound(bundle()), 'tool_result')[0]?.output as unknown as { readonly body: unknown };
}

describe('the text of a JSON answer is given back as it was', () => {
  test.each([
    ['as JSON.stringify writes it', '{"b":[1,"é \\n, : ",{}],"a":null}'],
    ['with a newline at its end', '{"b":1,"a":[]}\n'],
    ['with CRLF at its end', '{"b":1}\r\n'],
    ['as Python writes it', '{"b": [1, "a, b: c", {}, []], "a": {"x": null}}'],
    ['as Python writes it, in ASCII', '{"b": "gr\\u00fc\\u00dfe \\ud83d\\udc4b", "a": [1, 2]}'],
    ['in ASCII', '{"b":"gr\\u00fc\\u00dfe"}\n'],
    ['with a control character', '{"b":"\\u0001"}'],
    ['with a control character, as Python writes it', '{"b": "\\u0001 \\u001f"}'],
    ['a list, as Python writes it', '[1, {"b": 2}]'],
    ['indented by spaces', '{\n    "b": {\n        "a": 1\n    }\n}\n'],
    ['indented by tabs', '{\n\t"b": [\n\t\t1,\n\t\t{}\n\t]\n}'],
    ['indented and in ASCII', '{\n  "b": "\\u00e9"\n}\n'],
  ])('and it is recorded as a document: %s', async (_how, text) => {
    expect(await recordedOf(text)).toMatchObject({ body: JSON.parse(text) });
  });

  test.each([
    ['CRLF within it', '{\r\n  "b": 1\r\n}'],
    ['an escaped slash', '{"b":"a\\/b"}'],
    ['an escape for what needs none', '{"b":"\\u003cb\\u003e"}'],
    ['escapes in capitals', '{"b":"\\u00E9"}'],
    ['a fraction of nothing', '{"b":1.0}'],
    ['an exponent', '{"b":1e2}'],
    ['a negative zero', '{"b":-0}'],
    ['keys that are numbers', '{"b":1,"2":2,"1":1}'],
    ['a key that stands twice', '{"b":1,"b":2}'],
    ['spaces of its own', '{ "b":1 }'],
    ['spaces before it', ' {"b":1}'],
  ])('and it is recorded as that text: %s', async (_what, text) => {
    expect(await recordedOf(text)).toMatchObject({ body: text });
  });

  test('and redaction sees the keys in it', async () => {
    const text = '{ "password" : "hunter2-of-mine", "kept" : 1.0 }';
    const origin = await serve(text);
    await record('reader', { output: bundle() }, async () => (await (await fetch(origin)).text()).length);
    const { output } = eventsOf(loadSound(bundle()), 'tool_result')[0] ?? {};
    expect(output).toMatchObject({ body: text.replace('hunter2-of-mine', '[REDACTED]') });
    expect(readFileSync(join(bundle(), 'events.jsonl'), 'utf8')).not.toContain('hunter2');
  });

  test('and what it says of tokens and of an error is read out of it', async () => {
    const model = createRecordedFetch(globalThis.fetch, { provider: 'demo' });
    const usage = '{ "model": "demo-1-0514", "usage": { "prompt_tokens": 3, "completion_tokens": 2 } }';
    const asks = (origin: string) => async () => (await model(origin, { method: 'POST' })).text();
    await record('reader', { output: bundle() }, asks(await serve(usage)));
    expect(eventsOf(loadSound(bundle()), 'llm_response')[0]).toMatchObject({ model: 'demo-1-0514', prompt_tokens: 3 });
    const other = join(directory(), 'other.sftrace');
    await record('reader', { output: other }, asks(await serve('{ "error": { "message": "slow down" } }', 429)));
    expect(eventsOf(loadSound(other), 'error')[0]?.message).toBe('HTTP 429 Too Many Requests: slow down');
  });
});
