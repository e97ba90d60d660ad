import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTrace, streamOf } from '@stepfork/trace-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodiesRun } from '../src/bodies.js';
import { must, writeFiles } from '../src/consumer.js';
import { stepfork } from '../src/run.js';
import { remove, temporaryFolder } from '../src/temporary-folder.js';

const agent = fileURLToPath(new URL('../fixtures/streaming.mjs', import.meta.url));
const ANSWER = {
  text: 'Looking for invoices.',
  large: ['INV-1'],
  file: 'invoice INV-1',
  line: 'INV-1:open\n',
  said: ['first', 'second'],
};

describe('an agent that streams', () => {
  const cwd = temporaryFolder('streams');
  const bundle = join(cwd, 'run.sftrace');
  const replay = (version: string, ...options: string[]) =>
    stepfork(['replay', 'run.sftrace', '--entrypoint', `${agent}:${version}`, ...options], { cwd });

  beforeAll(async () => {
    const recorded = await must(0, process.execPath, [agent, 'run.sftrace', 'recorded'], { cwd });
    expect(JSON.parse(recorded.stdout)).toEqual(ANSWER);
    expect(bodiesRun(cwd)).toEqual(['planner', 'list_invoices', 'download', 'ledger', 'notices']);
    rmSync(join(cwd, 'bodies.log'));
  });
  afterAll(() => remove(cwd));

  test('is recorded as it was consumed, with the tokens of its model', async () => {
    const validated = await stepfork(['validate', 'run.sftrace', '--verify-integrity'], { cwd });
    expect(validated.exit, validated.output).toBe(0);
    const { events } = loadTrace(bundle);
    const streams = events.flatMap((event) => {
      const stream = event.type === 'tool_result' || event.type === 'llm_response' ? streamOf(event.output) : null;
      return stream === null ? [] : [[event.type, stream.kind, stream.end, stream.chunks.length]];
    });
    expect(streams).toEqual(
      expect.arrayContaining([
        ['llm_response', 'async-generator', 'complete', 8],
        ['tool_result', 'async-generator', 'cancelled', 1],
        ['tool_result', 'generator', 'complete', 2],
      ]),
    );
    expect(events.find((event) => event.type === 'llm_response')).toMatchObject({
      prompt_tokens: 40,
      completion_tokens: 12,
    });
  });

  test('leaves no byte of a secret that came in several chunks', () => {
    for (const name of readdirSync(bundle)) {
      const text = readFileSync(join(bundle, name), 'utf8');
      expect(text).not.toContain('0123456789abcdefghij0123456789');
    }
  });

  test('replays unchanged with no body run, again and again', async () => {
    for (let time = 0; time < 3; time++) {
      const same = await replay('recorded');
      expect(same.exit, same.output).toBe(0);
      expect(same.stdout).toContain('matched');
    }
    expect(bodiesRun(cwd)).toEqual([]);
  });

  test('is judged by its output where it makes the same calls', async () => {
    writeFiles(cwd, { 'right.json': JSON.stringify({ ...ANSWER, large: ['INV-3'] }) });
    const changed = await replay('overridden', '--expect-output', 'right.json');
    expect(changed.exit, changed.output).toBe(0);
  });

  test('is never given what it did not read when it was recorded', async () => {
    const greedy = await replay('greedy');
    expect(greedy.exit, greedy.output).toBe(1);
    expect(greedy.stdout).toContain('past_cancellation');
    expect(greedy.stdout).toContain('list_invoices');
    expect(bodiesRun(cwd)).toEqual([]);
  });

  test('diverges at a stream that it had not asked for', async () => {
    const extended = await replay('extended');
    expect(extended.exit, extended.output).toBe(1);
    expect(extended.stdout).toContain('list_invoices');
    expect(bodiesRun(cwd)).toEqual([]);
  });
});
