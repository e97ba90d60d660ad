import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addEvent,
  createTrace,
  encodeValue,
  type Json,
  loadTrace,
  runStartEvent,
  toolCallEvent,
} from '../../src/index.js';
import { temporaryFolder } from '../support/bundle-files.js';
import { writeConversation } from '../support/conversation.js';
import { everyEvent } from '../support/every-event.js';
import { HEADER, linesOf, writeTrace } from '../support/sealed.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const PAGE = fileURLToPath(new URL('../../../../docs/trace-format.md', import.meta.url));
const VERIFIER = fileURLToPath(new URL('./verify.py', import.meta.url));

function verify(bundle: string): { events: number; problems: string[] } {
  const { stdout, stderr, status } = spawnSync('python3', [VERIFIER, bundle], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { events: number; problems: string[] };
}

// Where there is no Python the cases are none, and the title says so.
const cases = hasPython ? ['python3'] : [];

describe(`another language, by the standard library of Python${hasPython ? '' : ' (not run: no python3 here)'}`, () => {
  it('is looked for', () => {
    expect(cases.length === 1).toBe(hasPython);
  });

  it.each(cases)('verifies every kind of event that we write (%s)', () => {
    const path = writeTrace(everyEvent(), join(temporaryFolder(), 'every.sftrace'), { runtime: HEADER });
    expect(verify(path)).toEqual({ events: 12, problems: [] });
    appendFileSync(join(path, 'runtime.jsonl'), ' ');
    expect(verify(path).problems).toEqual(['runtime.jsonl: another digest']);
  });

  it.each(cases)(
    'verifies requests that repeat each other, and reads them by the code of docs/trace-format.md (%s)',
    () => {
      const folder = temporaryFolder();
      const path = writeConversation(join(folder, 'run.sftrace'));
      expect(verify(path)).toEqual({ events: linesOf(path).length, problems: [] });
      const [, code = ''] = /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];
      const program = `${code}    print(json.dumps(event.get("input"), sort_keys=True))\n`;
      const { stdout, stderr } = spawnSync('python3', ['-c', program], { cwd: folder, encoding: 'utf8' });
      expect(stderr).toBe('');
      const inputs = loadTrace(path).events.map((event) => ('input' in event ? event.input : null) ?? null);
      expect(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toEqual(inputs);
    },
  );

  it.each(cases)('verifies five hundred payloads of any kind (%s)', () => {
    const trace = createTrace({ agentName: 'any' });
    addEvent(trace, runStartEvent());
    const options = { stringUnit: 'binary', withBigInt: true, withDate: true, withMap: true, withSet: true } as const;
    const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }));
    const payloads = fc.oneof(fc.anything({ ...options, withNullPrototype: true, withTypedArray: true }), numbers);
    for (const payload of fc.sample(payloads, 500)) {
      addEvent(trace, toolCallEvent({ name: 'any', input: encodeValue(payload).json as Json }));
    }
    expect(verify(writeTrace(trace, join(temporaryFolder(), 'any.sftrace')))).toEqual({ events: 501, problems: [] });
  });
});
