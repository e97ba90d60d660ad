import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadTrace, validateBundle } from '@stepfork/trace-format';
import { isStepforkError, type Json, parseJson } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScrubOptions, scanBundle, scrubBundle } from '../../src/bundle.js';
import { bundleOf, filesOf, freshPath, storable, traceWith } from './folder.js';

const SECRET = 'tango/7+whisky"é';

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isStepforkError(error)) return error.code;
    throw error;
  }
  return 'none';
}

function entriesOf(
  bundle: string,
): readonly { readonly event_id: string; readonly path: string; readonly reason: string }[] {
  const { entries } = JSON.parse(readFileSync(join(bundle, 'redactions.json'), 'utf8'));
  return entries;
}

function expectSealed(bundle: string): void {
  const result = validateBundle(bundle, { verifyIntegrity: true });
  expect(result.issues).toEqual([]);
  expect(result.integrity).toBe('verified');
}

describe('a value', () => {
  it('goes wherever it stands, in all its spellings', () => {
    const payload = {
      plain: SECRET,
      longer: `before ${SECRET} after`,
      url: `https://x.example/?q=${encodeURIComponent(SECRET)}`,
      form: new URLSearchParams({ q: SECRET }).toString(),
      json: JSON.stringify({ q: SECRET }),
      nested: JSON.stringify({ q: JSON.stringify([SECRET]) }),
      base64: Buffer.from(`user:${SECRET}`).toString('base64'),
      base64url: Buffer.from(SECRET).toString('base64url'),
      [`key ${SECRET}`]: 1,
      bytes: { $stepfork: 'bytes', kind: 'Buffer', base64: Buffer.from(SECRET).toString('base64') },
    };
    const bundle = bundleOf(traceWith(payload, `it broke: ${SECRET}`));
    const { path, places } = scrubBundle(bundle, { value: SECRET, inPlace: true });
    expect(path).toBe(bundle);
    expectSealed(bundle);
    const bytes = Object.values(filesOf(bundle)).join('\n');
    expect(bytes).not.toMatch(/tango|whisky|dGFuZ2|ZnVuZ2/);
    const { events, failure } = loadTrace(bundle);
    expect(failure?.message).toBe('it broke: [REDACTED]');
    expect(events[1]).toMatchObject({
      input: {
        plain: '[REDACTED]',
        longer: 'before [REDACTED] after',
        json: '{"q":"[REDACTED]"}',
        'key [REDACTED]': 1,
      },
    });
    expect(places).toContainEqual({ event_id: 'evt_call', path: '/input/plain' });
    expect(places).toContainEqual({ event_id: '__manifest__', path: '/failure/message' });
    expect(entriesOf(bundle)).toContainEqual({
      event_id: 'evt_error',
      path: '/message',
      reason: 'scrubbed',
      replacement: '[REDACTED]',
    });
  });

  it('is gone from any bundle, which stays sound and scrubbed', () => {
    const secret = fc
      .stringMatching(/^[A-Za-z0-9+/=_.~"\\ é-]{8,30}$/)
      .filter((text) => text.trim() === text && !/REDACTED|^["\\]|\\$/.test(text));
    fc.assert(
      fc.property(secret, storable, (value, around) => {
        const bundle = bundleOf(
          traceWith({ around, value, url: encodeURIComponent(value), text: JSON.stringify([value]) }),
        );
        if (codeOf(() => scrubBundle(bundle, { value, inPlace: true })) === 'invalid_argument') return;
        expectSealed(bundle);
        expect(filesOf(bundle)['events.jsonl']).not.toContain(JSON.stringify(Buffer.from(value).toString('latin1')));
        expect(codeOf(() => scrubBundle(bundle, { value, inPlace: true }))).toBe('nothing_to_scrub');
      }),
      { numRuns: process.env.STEPFORK_FULL === '1' ? 500 : 40, seed: 3 },
    );
  });

  it('is refused when it cannot be looked for', () => {
    const bundle = bundleOf(traceWith('password'));
    for (const value of ['', 'short', 'password', '[REDACTED]', 'x'.repeat(70_000)]) {
      expect(codeOf(() => scrubBundle(bundle, { value, inPlace: true }))).toBe('invalid_argument');
    }
  });

  it('that stands nowhere, or where nothing is changed, leaves the bundle as it is', () => {
    const bundle = bundleOf(traceWith({ a: 'evt_call and more', b: SECRET }));
    const before = filesOf(bundle);
    expect(codeOf(() => scrubBundle(bundle, { value: 'nowhere at all', inPlace: true }))).toBe('nothing_to_scrub');
    expect(codeOf(() => scrubBundle(bundle, { value: 'evt_call', inPlace: true }))).toBe('scrub_incomplete');
    writeFileSync(join(bundle, 'notes.txt'), SECRET);
    expect(codeOf(() => scrubBundle(bundle, { value: SECRET, inPlace: true }))).toBe('scrub_incomplete');
    expect(filesOf(bundle)).toEqual({ ...before, 'notes.txt': Buffer.from(SECRET).toString('latin1') });
    expect(
      readdirSync(dirname(bundle)).filter((name) => name.includes('.partial') || name.endsWith('.replaced')),
    ).toEqual([]);
  });
});

describe('a pointer', () => {
  const scrub = (bundle: string, event_id: string, path: string, rest: ScrubOptions = { inPlace: true }) =>
    scrubBundle(bundle, { pointers: [{ event_id, path }], ...rest });

  it('takes what stands at it, and its texts wherever else they recur', () => {
    const bundle = bundleOf(traceWith({ user: { pin: 1234, code: 'alfa-bravo-9' }, kept: 'yes' }));
    const { places } = scrub(bundle, 'evt_call', '/input/user');
    expect(places).toEqual([
      { event_id: 'evt_call', path: '/input/user' },
      { event_id: 'evt_result', path: '/output/got/user/code' },
      { event_id: 'evt_ask', path: '/input/0/user/code' },
    ]);
    expectSealed(bundle);
    const { events } = loadTrace(bundle);
    expect(events[1]).toMatchObject({ input: { user: '[REDACTED]', kept: 'yes' }, redactions: ['/input/user'] });
    expect(events[2]).toMatchObject({ output: { got: { user: { pin: 1234, code: '[REDACTED]' } } } });
  });

  it('takes any key or index for a star, and texts of the event and the manifest', () => {
    const bundle = bundleOf(traceWith({ rows: [{ a: 1 }, { a: 2 }] }));
    scrub(bundle, 'evt_call', '/input/rows/*/a');
    scrub(bundle, 'evt_call', '/name');
    scrub(bundle, '__manifest__', '/agent_name');
    expectSealed(bundle);
    const { events, agent_name } = loadTrace(bundle);
    expect(events[1]).toMatchObject({
      name: '[REDACTED]',
      input: { rows: [{ a: '[REDACTED]' }, { a: '[REDACTED]' }] },
    });
    expect(agent_name).toBe('[REDACTED]');
  });

  it.each([
    ['evt_call', '/input/absent'],
    ['evt_call', '/step'],
    ['evt_call', ''],
    ['evt_call', 'input'],
    ['evt_none', '/input'],
    ['__manifest__', '/run_id'],
    ['__manifest__', '/environment'],
  ])('that leads nowhere is refused before anything is written: %s %s', (event_id, path) => {
    const bundle = bundleOf(traceWith({ a: 1 }));
    const before = filesOf(bundle);
    expect(codeOf(() => scrub(bundle, event_id, path))).toBe('bad_scrub_place');
    expect(filesOf(bundle)).toEqual(before);
  });
});

describe('a scrubbed bundle', () => {
  it('says that and when it was scrubbed, and keeps what was noted', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }));
    writeFileSync(join(bundle, 'notes.txt'), 'mine');
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    const { runtime, events } = loadTrace(bundle);
    const of = (type: string) => runtime.filter((record) => record.type === type);
    expect(runtime[0]).toMatchObject({ type: 'runtime', tags: { team: 'blue' } });
    expect(of('call')).toEqual([{ type: 'call', call_id: 'evt_call', answered: 'promise' }]);
    expect(of('scrubbed')).toEqual([{ type: 'scrubbed', at_ms: expect.any(Number), places: 3 }]);
    expect(Object.keys((events[2] as { readonly output?: object }).output ?? {})).toEqual(['ok', 'got']);
    expect(filesOf(bundle)['notes.txt']).toBe('mine');
  });

  it('can lie elsewhere; the old one stays', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }));
    const before = filesOf(bundle);
    const to = freshPath();
    expect(scrubBundle(bundle, { value: SECRET, to }).path).toBe(to);
    expect(filesOf(bundle)).toEqual(before);
    expectSealed(to);
    expect(codeOf(() => scrubBundle(bundle, { value: SECRET, to }))).toBe('output_exists');
  });

  it('had no runtime.jsonl: it gets one that changes nothing for readers', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }), { ruleset: '0.1' }, false);
    expect(existsSync(join(bundle, 'runtime.jsonl'))).toBe(false);
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    expectSealed(bundle);
    expect(loadTrace(bundle).runtime.map((record) => record.type)).toEqual(['runtime', 'scrubbed']);
    expect(loadTrace(bundle).runtime[0]).toMatchObject({ recorder_version: 'none', redaction: { ruleset: '0.1' } });
  });

  it('keeps earlier redactions and their reasons, and every line that held nothing byte for byte', () => {
    const payload = parseJson('{"password":"x","big":12345678901234567890,"float":1.0,"n":1}');
    const bundle = bundleOf(traceWith({ ...(payload as { [key: string]: Json }) }, SECRET));
    const before = filesOf(bundle)['events.jsonl']?.split('\n') ?? [];
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    const after = filesOf(bundle)['events.jsonl']?.split('\n') ?? [];
    expect(after.filter((line, index) => line !== before[index])).toHaveLength(1);
    expect(entriesOf(bundle)).toContainEqual({
      event_id: 'evt_call',
      path: '/input/password',
      reason: 'sensitive_key',
      replacement: '[REDACTED]',
    });
  });

  it('has no key of a redacted place in its lists either', () => {
    const bundle = bundleOf(traceWith({ [SECRET]: { password: 'x' } }));
    expect(filesOf(bundle)['redactions.json']).toContain('tango');
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    expectSealed(bundle);
    expect(Object.values(filesOf(bundle)).join('\n')).not.toContain('tango');
    expect(entriesOf(bundle)).toContainEqual(
      expect.objectContaining({ event_id: 'evt_call', path: '/input/[REDACTED]/password' }),
    );
  });

  it('is clean of what a scan found', () => {
    const bundle = bundleOf(traceWith({ cookie: 'sid=c00kie-value-1' }));
    const found = scanBundle(bundle);
    const { events } = loadTrace(bundle);
    const pointers = found.flatMap(({ line, path }) =>
      line === null || path === null ? [] : [{ event_id: events[line - 1]?.id ?? '', path }],
    );
    expect(pointers).toHaveLength(3);
    scrubBundle(bundle, { pointers, inPlace: true });
    expect(scanBundle(bundle)).toEqual([]);
  });
});

describe('a scrub', () => {
  it('refuses a bundle that is not what was sealed', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }));
    const manifest = join(bundle, 'manifest.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"agent"', '"other"'));
    expect(codeOf(() => scrubBundle(bundle, { value: SECRET, inPlace: true }))).toBe('unsound_bundle');
  });

  it('refuses arguments that leave open what or where', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }));
    expect(codeOf(() => scrubBundle(bundle, { inPlace: true }))).toBe('invalid_argument');
    expect(codeOf(() => scrubBundle(bundle, { value: SECRET }))).toBe('invalid_argument');
    expect(codeOf(() => scrubBundle(bundle, { value: SECRET, to: 'x.sftrace', inPlace: true }))).toBe(
      'invalid_argument',
    );
    expect(codeOf(() => scrubBundle(freshPath(), { value: SECRET, inPlace: true }))).toBe('missing_bundle');
  });

  it('leaves nothing beside the bundle', () => {
    const bundle = bundleOf(traceWith({ a: SECRET }));
    scrubBundle(bundle, { value: SECRET, inPlace: true });
    const stem = basename(bundle, '.sftrace');
    expect(readdirSync(dirname(bundle)).filter((name) => name.includes(`${stem}.`))).toEqual([`${stem}.sftrace`]);
  });
});
