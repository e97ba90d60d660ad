import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTrace, readEvents } from '../../src/index.js';
import { EVENTS, MANIFEST, REDACTIONS, temporaryFolder, writeFiles } from '../support/bundle-files.js';
import { refusal } from '../support/refusal.js';

const codeFor = (content: Parameters<typeof writeFiles>[0]): string =>
  refusal(() => loadTrace(writeFiles(content)))?.code ?? 'accepted';

describe('finding a bundle', () => {
  it('B086 refuses a name that does not end in .sftrace, or is only that', () => {
    for (const name of ['run', 'run.SFTRACE', '.sftrace', 'run.sftrace.zip']) {
      expect(refusal(() => loadTrace(writeFiles({}, name)))?.code).toBe('not_a_bundle');
    }
  });

  it('B096 names what is missing', () => {
    const folder = temporaryFolder();
    expect(refusal(() => loadTrace(join(folder, 'none.sftrace')))).toMatchObject({ code: 'missing_bundle' });
    writeFileSync(join(folder, 'file.sftrace'), '');
    expect(refusal(() => loadTrace(join(folder, 'file.sftrace')))?.message).toContain('not a directory');
    for (const file of ['manifest', 'events', 'redactions'] as const) {
      const refused = refusal(() => loadTrace(writeFiles({ [file]: undefined })));
      expect(refused?.code).toBe('missing_file');
      expect(basename(String(refused?.details.file))).toContain(file);
    }
  });

  it('B097 reports the first fault in the order manifest, events, redactions', () => {
    const faults = { manifest: '{', events: '{\n', redactions: '{' };
    const first = (content: Parameters<typeof writeFiles>[0]): string =>
      basename(String(refusal(() => loadTrace(writeFiles(content)))?.details.file));
    expect(first(faults)).toBe('manifest.json');
    expect(first({ events: '{\n', redactions: '{' })).toBe('events.jsonl');
    expect(first({ redactions: '{' })).toBe('redactions.json');
  });

  it('B098 neither needs nor looks at integrity.json', () => {
    expect(codeFor({ integrity: 'not json' })).toBe('accepted');
  });

  it('B107 ignores other files, also a foreign runtime.jsonl', () => {
    const path = writeFiles({ runtime: 'not ours\n' });
    writeFileSync(join(path, 'notes.txt'), 'hello');
    expect(loadTrace(path).runtime).toEqual([]);
    rmSync(join(path, 'runtime.jsonl'));
    mkdirSync(join(path, 'runtime.jsonl'));
    expect(loadTrace(path).runtime).toEqual([]);
  });
});

describe('the manifest', () => {
  it('B067 refuses an unknown field at any level', () => {
    expect(codeFor({ manifest: { ...MANIFEST, colour: 1 } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, totals: { tokens: 1 } } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, environment: { node: '20' } } })).toBe('invalid_manifest');
    expect(codeFor({ redactions: { ...REDACTIONS, colour: 1 } })).toBe('invalid_manifest');
  });

  it('B069 B070 refuses an empty agent name and negative totals', () => {
    expect(codeFor({ manifest: { ...MANIFEST, agent_name: '' } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, run_id: '' } })).toBe('invalid_manifest');
    for (const name of ['events', 'llm_calls', 'tool_calls', 'cost_usd', 'duration_ms']) {
      expect(codeFor({ manifest: { ...MANIFEST, totals: { [name]: -1 } } })).toBe('invalid_manifest');
    }
  });

  it('B084 wants a failure exactly when the run failed', () => {
    const failure = { type: 'E', message: 'm', step: 0 };
    expect(codeFor({ manifest: { ...MANIFEST, status: 'failed' } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, failure } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, status: 'failed', failure } })).toBe('accepted');
    expect(codeFor({ manifest: { ...MANIFEST, status: 'failed', failure: { ...failure, step: -1 } } })).toBe(
      'invalid_manifest',
    );
  });

  it('B085 fills in environment and totals, and refuses null for them', () => {
    expect(loadTrace(writeFiles({ manifest: MANIFEST }))).toMatchObject({
      environment: { python: null, os: null, stepfork_version: null },
      totals: { events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null },
      failure: null,
    });
    expect(codeFor({ manifest: { ...MANIFEST, totals: null } })).toBe('invalid_manifest');
    expect(codeFor({ manifest: { ...MANIFEST, environment: null } })).toBe('invalid_manifest');
  });

  it('B102 looks at the schema version before all else', () => {
    for (const schema_version of ['0.2', '1', 0.1, null, undefined, '__proto__']) {
      expect(codeFor({ manifest: { schema_version, nonsense: true } })).toBe('unsupported_schema');
    }
    expect(codeFor({ redactions: { entries: 3 } })).toBe('unsupported_schema');
    expect(refusal(() => loadTrace(writeFiles({ manifest: { schema_version: '9\u001b[2J' } })))?.message).toContain(
      "schema version '9\\u001b[2J'; this release reads 0.1",
    );
  });

  it('B103 refuses JSON that is not an object', () => {
    for (const manifest of ['[]', '3', 'null', '"x"']) expect(codeFor({ manifest })).toBe('invalid_manifest');
    expect(codeFor({ redactions: '[]' })).toBe('invalid_manifest');
  });

  it('B101 refuses a byte order mark and bytes that are not UTF-8', () => {
    expect(codeFor({ manifest: `\ufeff${JSON.stringify(MANIFEST)}` })).toBe('invalid_json');
    expect(codeFor({ redactions: Buffer.from([0x7b, 0xff, 0x7d]) })).toBe('invalid_json');
  });

  it('refuses another format name', () => {
    expect(codeFor({ manifest: { ...MANIFEST, format: 'other' } })).toBe('invalid_manifest');
  });
});

describe('redactions.json', () => {
  it('takes entries with and without a replacement, and refuses any other replacement', () => {
    const entry = { event_id: 'e1', path: '/input', reason: 'sensitive_key' };
    const redactions = (more: object) => ({ schema_version: '0.1', entries: [{ ...entry, ...more }] });
    expect(codeFor({ redactions: redactions({}) })).toBe('accepted');
    expect(codeFor({ redactions: redactions({ replacement: '[REDACTED]' }) })).toBe('accepted');
    expect(codeFor({ redactions: redactions({ replacement: 'x' }) })).toBe('invalid_manifest');
    expect(codeFor({ redactions: redactions({ event_id: '' }) })).toBe('invalid_manifest');
  });
});

describe('runtime.jsonl', () => {
  const header = {
    type: 'runtime',
    schema: 'stepfork-runtime/1',
    language: 'node',
    language_version: '20.20.2',
    recorder_version: '0.1.0',
    started_at_ms: 1,
    time_zone: 'UTC',
    tags: { requestId: 'r' },
    redaction: { ruleset: 'default', fingerprint: 'f' },
  };
  const call = { type: 'call', call_id: 'e2', answered: 'promise' };
  const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

  it('is read in order, and types that are not known are skipped', () => {
    const runtime = lines(header, { type: 'weather', sunny: true }, call);
    expect(loadTrace(writeFiles({ runtime })).runtime).toEqual([header, call]);
  });

  it('is refused where one of our records is not as documented', () => {
    const bad = lines(header, { ...call, answered: 'perhaps' });
    expect(refusal(() => loadTrace(writeFiles({ runtime: bad })))).toMatchObject({
      code: 'invalid_runtime',
      details: { line: 2 },
    });
    expect(codeFor({ runtime: `${lines(header)}{\n${lines(call)}` })).toBe('invalid_runtime');
  });

  it('may end in a torn line, as a killed process leaves it', () => {
    expect(loadTrace(writeFiles({ runtime: `${lines(header, call)}{"type":"ca` })).runtime).toEqual([header, call]);
  });
});

describe('what comes back', () => {
  it('one event at a time is the same as the whole', () => {
    const path = writeFiles();
    expect([...readEvents(path)].map((event) => event.id)).toEqual(['e1', 'e2', 'e3', 'e4']);
    const broken = readEvents(writeFiles({ events: [EVENTS[0], '{'] }));
    expect(broken.next().value).toMatchObject({ id: 'e1' });
    expect(refusal(() => broken.next())).toMatchObject({ code: 'invalid_json', details: { line: 2 } });
  });

  it('B105 B106 is every event as written, in file order', () => {
    const nested = { 'ключ \u{1f600}': [{ deep: ['काठमाडौँ', null, true, 1.5] }] };
    const events = [...EVENTS, { ...EVENTS[1], id: 'e5', step: 3, input: nested }];
    const trace = loadTrace(writeFiles({ events }));
    expect(trace.events.map((event) => event.id)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    expect(trace.events.map((event) => event.step)).toEqual([0, 1, 2, 3, 3]);
    expect(trace.events.map((event) => event.parent_id)).toEqual([null, 'e1', 'e2', null, 'e1']);
    expect(trace.events[4]).toMatchObject({ input: nested });
  });
});
