import { join } from 'node:path';
import { record } from '@stepfork/recorder';
import { createRecordedFetch } from '@stepfork/recorder/fetch';
import { replay } from '@stepfork/replay';
import { beforeEach, describe, expect, test } from 'vitest';
import { eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { localServers } from '../support/servers.js';

const directory = ownDirectory();
const bundle = (): string => join(directory(), 'run.sftrace');
const fetch = createRecordedFetch(globalThis.fetch, { http: true });

const { serve } = localServers();
let origin = '';
beforeEach(async () => {
  origin = await serve((_, response) => response.end('taken'));
});

function form(model = 'whisper-1'): FormData {
  const made = new FormData();
  made.append('model', model);
  made.append('tag', 'one');
  made.append('tag', 'two');
  made.append('file', new Blob([Uint8Array.from([0, 1, 13, 10, 255])], { type: 'audio/wav' }), 'speech.wav');
  return made;
}

/** As a library packs one, with a boundary that is another each time. */
async function packed(made: FormData): Promise<RequestInit> {
  const { headers } = new Response(made);
  const response = new Response(made);
  const body = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type') ?? '';
  expect(type).not.toBe(headers.get('content-type'));
  return { method: 'POST', headers: { 'content-type': type }, body };
}

const send = async (init: RequestInit): Promise<string> => (await fetch(`${origin}/upload`, init)).text();

describe('a form that is sent as bytes', () => {
  test.each([
    ['bytes', async () => send(await packed(form()))],
    ['a request', async () => (await fetch(new Request(`${origin}/upload`, await packed(form())))).text()],
  ])('is recorded as the form that it is, and asked for again on replay: %s', async (_how, agent) => {
    expect(await record('sender', { output: bundle() }, agent)).toBe('taken');
    const [call] = eventsOf(loadSound(bundle()), 'tool_call');
    const file = { filename: 'speech.wav', type: 'audio/wav', bytes: 5, sha256: expect.any(String) };
    expect(call?.input).toMatchObject({
      body: { type: 'multipart/form-data', fields: { model: 'whisper-1', tag: ['one', 'two'], file } },
    });
    const asForm = (): Promise<string> => send({ method: 'POST', body: form() });
    for (const again of [agent, asForm]) expect((await replay(bundle(), again)).verdict).toBe('matched');
    const other = await replay(bundle(), async () => send(await packed(form('whisper-2'))));
    expect(other.divergence?.differences).toMatchObject([{ path: 'body.fields.model' }]);
  });

  test.each([
    ['has no boundary', 'multipart/form-data', 'any'],
    ['has another boundary', 'multipart/form-data; boundary=other', '--this\r\n\r\n--this--\r\n'],
    [
      'is cut short',
      'multipart/form-data; boundary=this',
      '--this\r\ncontent-disposition: form-data; name="a"\r\n\r\n1',
    ],
  ])('is bytes where it %s', async (_what, type, text) => {
    const body = new TextEncoder().encode(text);
    const agent = (): Promise<string> => send({ method: 'POST', headers: { 'content-type': type }, body });
    await record('sender', { output: bundle() }, agent);
    expect(eventsOf(loadSound(bundle()), 'tool_call')[0]?.input).toMatchObject({
      body: { type: 'multipart/form-data', bytes: body.length },
    });
    expect((await replay(bundle(), agent)).verdict).toBe('matched');
  });
});
