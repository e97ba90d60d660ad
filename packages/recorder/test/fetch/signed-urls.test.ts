import { readFileSync } from 'node:fs';
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

const VALUE = 'aQ3x9LmT7vKpZ2wR5yB8%2BqX4nJ6';
const NAMES = ['sig', 'token', 'key', 'Signature', 'access_token', 'X-Amz-Signature'];

const { serve } = localServers();
let origin = '';
beforeEach(async () => {
  origin = await serve(({ url = '' }, response) => {
    const [, where, name] = url.split('/');
    const signed = `${origin}/file?kind=small&${name}=${VALUE}&page=2`;
    const link = { link: `<${signed}>; rel="next"`, 'content-location': signed };
    if (where === 'moved') response.writeHead(302, { ...link, location: signed }).end();
    else if (where === 'named') response.writeHead(200, link).end('{}');
    else if (where === 'told') response.end(JSON.stringify({ url: signed }));
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":1}');
  });
});

type Agent = (name: string) => Promise<unknown>;

const AGENTS: readonly (readonly [string, Agent])[] = [
  ['that is followed', async (name) => (await fetch(`${origin}/moved/${name}`)).json()],
  [
    'that the agent follows',
    async (name) => {
      const { headers } = await fetch(`${origin}/moved/${name}`, { redirect: 'manual' });
      return (await fetch(headers.get('location') ?? '')).json();
    },
  ],
  [
    'that is a link',
    async (name) => {
      const { headers } = await fetch(`${origin}/named/${name}`);
      return (await fetch(/<(.*)>/.exec(headers.get('link') ?? '')?.[1] ?? '')).json();
    },
  ],
];

describe.each(AGENTS)('a signed URL of a head, %s', (_where, agent) => {
  test.each(NAMES)('is asked for again on replay, and its %s is in no bundle', async (name) => {
    const ask = (): Promise<unknown> => agent(name);
    expect(await record('signed', { output: bundle() }, ask)).toEqual({ ok: 1 });
    const report = await replay(bundle(), ask);
    expect([report.verdict, report.output]).toEqual(['matched', { ok: 1 }]);
    for (const file of ['events.jsonl', 'runtime.jsonl']) {
      expect(readFileSync(join(bundle(), file), 'utf8')).not.toContain('aQ3x9LmT7v');
    }
  });
});

test.each(NAMES)('a signed URL of a body is asked for again on replay: %s', async (name) => {
  const agent = async (): Promise<unknown> => {
    const { url } = (await (await fetch(`${origin}/told/${name}`)).json()) as { readonly url: string };
    return (await fetch(url)).json();
  };
  expect(await record('signed', { output: bundle() }, agent)).toEqual({ ok: 1 });
  const report = await replay(bundle(), agent);
  expect([report.verdict, report.output]).toEqual(['matched', { ok: 1 }]);
});

test('a URL that a recorded head names stays as it is, but for what proves who asks', async () => {
  await record('signed', { output: bundle() }, async () => {
    await fetch(`${origin}/moved/key`);
    await fetch(`${origin}/moved/key`, { redirect: 'manual' });
  });
  const [followed, told] = eventsOf(loadSound(bundle()), 'tool_result').map(({ output }) => output);
  const url = `${origin}/file?kind=small&key=[REDACTED]&page=2`;
  expect(followed).toMatchObject({ redirectedTo: url });
  expect(told).toMatchObject({ headers: { location: url, link: `<${url}>; rel="next"` } });
});
