import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTrace, packBundle, validateBundle } from '@stepfork/trace-format';
import {
  addEvent,
  createTrace,
  type Json,
  llmRequestEvent,
  llmResponseEvent,
  runEndEvent,
  runStartEvent,
} from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { scanBundle, scrubBundle } from '../../src/bundle.js';
import { bundleOf } from './folder.js';

const NPM = `npm_${'a'.repeat(36)}`;
const TURNS = 8;

/** A conversation in the fourth message of which a token lies. */
function conversation(): string {
  const trace = createTrace({ agentName: 'agent' });
  addEvent(trace, runStartEvent({ id: 'evt_start', input: null }));
  const messages: Json[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    messages.push({ role: 'user', content: `${turn} ${'and then? '.repeat(50)}${turn === 3 ? NPM : ''}` });
    const id = `evt_${turn}`;
    addEvent(trace, llmRequestEvent({ id, provider: 'p', model: 'm', input: { messages: [...messages] } }));
    addEvent(trace, llmResponseEvent({ id: `${id}_answer`, parent_id: id, model: 'm', output: turn }));
  }
  addEvent(trace, runEndEvent({ id: 'evt_end', run_status: 'completed', output: null }));
  return bundleOf(trace);
}

const contentsOf = (bundle: string): string[][] =>
  loadTrace(bundle).events.flatMap((event) =>
    event.type === 'llm_request'
      ? [(event.input as { messages: { content: string }[] }).messages.map(({ content }) => content)]
      : [],
  );

describe('a secret in what later requests repeat', () => {
  it('is found where it stands in the file, under the place that it has in the event', () => {
    const bundle = conversation();
    const found = { path: '/input/messages/3/content', rule: 'npm-token', eventId: 'evt_3' };
    expect(scanBundle(bundle)).toEqual([{ file: 'events.jsonl', line: 8, ...found }]);
    expect(scanBundle(packBundle(bundle)).map(({ path, eventId }) => ({ path, eventId }))).toEqual([
      { path: found.path, eventId: found.eventId },
    ]);
  });

  it('is found by a pointer to its place', () => {
    const rules = { pointers: ['/messages/*/content'] };
    const places = scanBundle(conversation(), rules).map(({ eventId, path }) => `${eventId} ${path}`);
    expect(places).toContain('evt_3 /input/messages/3/content');
    expect(places).toContain('evt_7 /input/messages/7/content');
    expect(new Set(places).size).toBe(places.length);
  });

  it('is shown to a function once, and so is every other value: nothing that only stands for one', () => {
    const trace = createTrace({ agentName: 'agent' });
    const [first, second] = ['first', 'second'].map((text) => ({ role: 'user', content: text.padEnd(2000, '.') }));
    const tools = { search: 'x'.repeat(2000), limit: null };
    addEvent(trace, runStartEvent({ id: 'evt_start', input: null }));
    for (const messages of [[first], [first, second], [first, second, { role: 'user', content: null }]]) {
      addEvent(trace, llmRequestEvent({ provider: 'p', model: 'm', input: { messages, tools } as Json }));
    }
    addEvent(trace, runEndEvent({ id: 'evt_end', run_status: 'completed', output: null }));
    const asked: string[] = [];
    scanBundle(bundleOf(trace), {
      functions: [
        (value, { path }) => {
          if (path !== '' && (value === null || typeof value === 'string'))
            asked.push(`${path} ${String(value).slice(0, 6)}`);
          return false;
        },
      ],
    });
    expect(asked).toEqual([
      '/messages/0/content first.',
      '/messages/0/role user',
      '/tools/limit null',
      '/tools/search xxxxxx',
      '/messages/1/content second',
      '/messages/1/role user',
      '/messages/2/content null',
      '/messages/2/role user',
    ]);
  });

  it.each([
    ['by its value', { value: NPM }],
    [
      'by its place in the request that it came with',
      { pointers: [{ event_id: 'evt_3', path: '/input/messages/3/content' }] },
    ],
    [
      'by its place in a request that repeats it',
      { pointers: [{ event_id: 'evt_6', path: '/input/messages/3/content' }] },
    ],
  ])('is scrubbed from all of them, %s', (_, what) => {
    const bundle = conversation();
    const before = contentsOf(bundle);
    scrubBundle(bundle, { ...what, inPlace: true });
    expect(readFileSync(join(bundle, 'events.jsonl'), 'utf8')).not.toContain(NPM);
    expect(validateBundle(bundle, { verifyIntegrity: true })).toMatchObject({ issues: [], integrity: 'verified' });
    const after = contentsOf(bundle);
    expect(after.map((contents) => contents.length)).toEqual(before.map((contents) => contents.length));
    for (const [turn, contents] of after.entries()) {
      for (const [at, content] of contents.entries()) {
        if (at === 3) expect(content).toContain('[REDACTED]');
        else expect(content).toBe(before[turn]?.[at]);
      }
    }
  });

  it('leaves the keys of all requests in their order, also where it makes one repeat more of another', () => {
    const [one, other] = [NPM, NPM.replaceAll('a', 'b')];
    const long = { role: 'user', content: 'and then? '.repeat(200) };
    // Once the tokens are gone, the second message is the same in both, and the third is the first that is new.
    const requests: Json[] = [
      { messages: [long, { content: one, role: 'user' }] },
      { messages: [long, { content: other, role: 'user' }, { role: 'user', content: 'thanks' }] },
    ];
    const trace = createTrace({ agentName: 'agent' });
    addEvent(trace, runStartEvent({ id: 'evt_start', input: null }));
    for (const input of requests) addEvent(trace, llmRequestEvent({ provider: 'p', model: 'm', input }));
    addEvent(trace, runEndEvent({ id: 'evt_end', run_status: 'completed', output: null }));
    const bundle = bundleOf(trace);
    for (const value of [one, other]) scrubBundle(bundle, { value, inPlace: true });
    const after = loadTrace(bundle).events.flatMap((event) => (event.type === 'llm_request' ? [event.input] : []));
    const expected = requests.map((input) => JSON.stringify(input).replace(/npm_\w+/, '[REDACTED]'));
    expect(after.map((input) => JSON.stringify(input))).toEqual(expected);
    expect(validateBundle(bundle, { verifyIntegrity: true })).toMatchObject({ issues: [], integrity: 'verified' });
  });
});
