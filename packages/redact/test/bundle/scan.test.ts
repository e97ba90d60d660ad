import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packBundle } from '@stepfork/trace-format';
import { isStepforkError, type Json } from '@stepfork/trace-format/write';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanBundle } from '../../src/bundle.js';
import { bundleOf, filesOf, freshPath, storable, traceWith } from './folder.js';

const NPM = `npm_${'a'.repeat(36)}`;

function lines(...texts: readonly string[]): string {
  const bundle = freshPath();
  mkdirSync(bundle);
  writeFileSync(join(bundle, 'events.jsonl'), texts.map((text) => `${text}\n`).join(''));
  return bundle;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isStepforkError(error)) return error.code;
    throw error;
  }
  return 'none';
}

describe('a scan', () => {
  it('finds nothing in what was recorded under the same rules', () => {
    fc.assert(
      fc.property(storable, (payload) => {
        expect(scanBundle(bundleOf(traceWith(payload), {}))).toEqual([]);
      }),
      { numRuns: process.env.STEPFORK_FULL === '1' ? 1_000 : 60, seed: 11 },
    );
  });

  it('finds nothing in the fields of the format, whatever keys are secret', () => {
    const rules = {
      keys: [
        'status',
        'name',
        'message',
        'id',
        'type',
        'step',
        'model',
        'agent_name',
        'path',
        'files',
        'keys',
        'failure',
      ],
    };
    const payload = { status: 'completed', name: 'look_up', message: 'it broke', files: ['a', 'b'], step: 3 };
    const bundle = bundleOf(traceWith(payload), rules);
    expect(scanBundle(bundle, rules)).toEqual([]);
    expect(scanBundle(packBundle(bundle), rules)).toEqual([]);
    const found = scanBundle(bundleOf(traceWith(payload), {}), rules).map(({ line, path }) => `${line} ${path}`);
    expect(found).toContain('2 /input/status');
    expect(found).toContain('3 /output/got/files');
  });

  it('names file, line, place and rule of what weaker rules had let through', () => {
    const bundle = bundleOf(traceWith({ cookie: 'sid=c00kie-value-1', note: NPM }));
    expect(scanBundle(bundle)).toEqual([
      { file: 'events.jsonl', line: 2, path: '/input/cookie', rule: 'sensitive_key', eventId: 'evt_call' },
      { file: 'events.jsonl', line: 2, path: '/input/note', rule: 'npm-token', eventId: 'evt_call' },
      { file: 'events.jsonl', line: 3, path: '/output/got/cookie', rule: 'sensitive_key', eventId: 'evt_result' },
      { file: 'events.jsonl', line: 3, path: '/output/got/note', rule: 'npm-token', eventId: 'evt_result' },
      { file: 'events.jsonl', line: 5, path: '/input/0/cookie', rule: 'sensitive_key', eventId: 'evt_ask' },
      { file: 'events.jsonl', line: 5, path: '/input/0/note', rule: 'npm-token', eventId: 'evt_ask' },
    ]);
  });

  it('finds a secret that recurs before it is given away', () => {
    const bundle = lines('{"a":"the key is tango-7-whisky"}', '{"cookie":"tango-7-whisky"}');
    expect(scanBundle(bundle)).toEqual([
      { file: 'events.jsonl', line: 1, path: '/a', rule: 'recurring_secret' },
      { file: 'events.jsonl', line: 2, path: '/cookie', rule: 'sensitive_key' },
    ]);
  });

  it('looks at the manifest and at files that the format does not know', () => {
    const bundle = bundleOf(traceWith(1, `it broke with ${NPM}`));
    mkdirSync(join(bundle, 'notes'));
    writeFileSync(join(bundle, 'notes', 'a.txt'), `first\nthen ${NPM}`);
    writeFileSync(join(bundle, 'notes', 'b.json'), '{\n "npm": "aaaa",\n "password": "x"\n}\n');
    expect(scanBundle(bundle)).toEqual([
      { file: 'events.jsonl', line: 4, path: '/message', rule: 'npm-token', eventId: 'evt_error' },
      { file: 'manifest.json', line: null, path: '/failure/message', rule: 'npm-token' },
      { file: 'notes/a.txt', line: 2, path: null, rule: 'npm-token' },
      { file: 'notes/b.json', line: null, path: '/password', rule: 'sensitive_key' },
    ]);
  });

  it('sees what only the bytes hold: a key said twice, a broken line, text that is no UTF-8', () => {
    const bundle = lines('{"password":"first-one-1","password":"[REDACTED]"}', `{"a":"${NPM}`);
    appendFileSync(join(bundle, 'events.jsonl'), Buffer.concat([Buffer.from([0xff, 0x20]), Buffer.from(`${NPM}\n`)]));
    expect(scanBundle(bundle)).toEqual([
      { file: 'events.jsonl', line: 1, path: null, rule: 'sensitive_key' },
      { file: 'events.jsonl', line: 2, path: null, rule: 'npm-token' },
      { file: 'events.jsonl', line: 3, path: null, rule: 'npm-token' },
    ]);
  });

  it('sees through escapes that hide a shape from a search of the bytes', () => {
    expect(scanBundle(lines(`{"a":"\\u006epm_${'a'.repeat(36)}"}`))).toHaveLength(1);
  });

  it('reads lines across the pieces in which a file is read', () => {
    const long = JSON.stringify({ a: 'x'.repeat(1_500_000), b: NPM });
    expect(scanBundle(lines(long, long))).toEqual(
      [1, 2].map((line) => ({ file: 'events.jsonl', line, path: '/b', rule: 'npm-token' })),
    );
  });

  it('applies rules of its own to payloads as a recording does', () => {
    const bundle = bundleOf(traceWith({ user: { name: 'Ada' }, pay: 7 }));
    const findings = scanBundle(bundle, { pointers: ['/user/name'], functions: [(_value, { key }) => key === 'pay'] });
    expect(findings.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      '/input/pay function',
      '/input/user/name pointer',
      '/output/got/pay function',
      '/input/0/pay function',
    ]);
  });

  it('takes a packed bundle', () => {
    const clean = packBundle(bundleOf(traceWith({ cookie: 'sid=c00kie-value-1', rows: [{ iban: 'XX00' }] }), {}));
    expect(scanBundle(clean)).toEqual([]);
    expect(scanBundle(clean, { pointers: ['/rows/*/iban'] })).toHaveLength(1);
    const packed = packBundle(bundleOf(traceWith({ cookie: 'sid=c00kie-value-1' }, NPM)));
    const findings = scanBundle(packed);
    expect(findings.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
      '/failure/message npm-token',
      '/input/cookie sensitive_key',
      '/output/got/cookie sensitive_key',
      '/message npm-token',
      '/input/0/cookie sensitive_key',
    ]);
    expect(new Set(findings.map(({ file }) => file))).toEqual(new Set([basename(packed)]));
  });

  it('tells no secret, be it a key or the name of a file', () => {
    const bundle = lines(JSON.stringify({ [NPM]: { [NPM]: NPM } }));
    writeFileSync(join(bundle, `${NPM}.txt`), NPM);
    const findings = scanBundle(bundle);
    expect(findings.length).toBeGreaterThan(3);
    expect(JSON.stringify(findings)).not.toContain('a'.repeat(8));
  });

  it('tells no secret that is a key elsewhere', () => {
    const bundle = lines('{"tango-7-whisky":{"password":"x"}}', '{"cookie":"tango-7-whisky"}');
    const findings = scanBundle(bundle);
    expect(findings.map(({ path }) => path)).toContain('/[REDACTED]/password');
    expect(JSON.stringify(findings)).not.toContain('tango');
  });

  it('changes nothing', () => {
    const bundle = bundleOf(traceWith({ cookie: 'sid=c00kie-value-1' }));
    const before = filesOf(bundle);
    scanBundle(bundle);
    expect(filesOf(bundle)).toEqual(before);
  });

  it('refuses what it cannot look at', () => {
    expect(codeOf(() => scanBundle(freshPath()))).toBe('missing_bundle');
    const outside = freshPath();
    writeFileSync(outside, NPM);
    const bundle = lines('{}');
    symlinkSync(outside, join(bundle, 'link.txt'));
    expect(codeOf(() => scanBundle(bundle))).toBe('missing_file');
    expect(codeOf(() => scanBundle(lines('{}'), { ruleset: 'x' as 'default' }))).toBe('bad_redaction_rule');
  });
});

describe('findings', () => {
  it('hold no part of a secret that the rules know', () => {
    const secret = fc.stringMatching(/^[a-z0-9]{12,20}$/);
    fc.assert(
      fc.property(secret, storable, (text, around: Json) => {
        const bundle = bundleOf(traceWith({ cookie: `${text}`, around, again: `x ${text} y` }));
        expect(JSON.stringify(scanBundle(bundle))).not.toContain(text);
      }),
      { numRuns: 30, seed: 5 },
    );
  });
});
