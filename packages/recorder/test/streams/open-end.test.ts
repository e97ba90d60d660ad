import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { record, traceTool } from '@stepfork/recorder';
import { loadTrace, recoverBundle } from '@stepfork/trace-format';
import type { StepforkError } from '@stepfork/trace-format/write';
import { describe, expect, it } from 'vitest';
import { bundlesIn, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { programs } from '../support/programs.js';
import { streamRecords } from '../support/stream-records.js';
import { SUBJECTS } from '../support/stream-subjects.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (): string => join(directory(), 'run.sftrace');
const run = programs(fileURLToPath(new URL('../harm/programs', import.meta.url)));

async function* numbers(): AsyncGenerator<number> {
  for (let n = 1; n < 5; n++) yield n;
}

describe('a stream that is open when its run ends', () => {
  it('has no outcome; it flows on, unrecorded, without a warning', async () => {
    const tool = traceTool('open at the end', numbers);
    const stream = await record('agent', { output: path() }, async () => {
      const made = tool();
      await made.next();
      return { iterator: made };
    });
    expect((await stream.iterator.next()).value).toBe(2);
    const rest: number[] = [];
    for await (const chunk of stream.iterator) rest.push(chunk);
    expect(rest).toEqual([3, 4]);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call open at the end < 0', '2 run_end']);
    expect(streamRecords(trace).chunks).toEqual([1]);
    expect(await warnings('run_ended')).toEqual([]);
  });

  it.each(SUBJECTS)('is read as it is bare when the run is over: $name', async (subject) => {
    const plan = { chunks: [1, 2, 3], fails: true };
    const bareLog: string[] = [];
    const bare = await subject.consume(subject.make(plan, bareLog) as never, Number.POSITIVE_INFINITY);
    const log: string[] = [];
    const tool = traceTool('late', () => ({ stream: subject.make(plan, log) }));
    const direct = traceTool('late', () => subject.make(plan, log));
    let stream: unknown;
    await record('agent', { output: path() }, () => {
      stream = direct();
    });
    expect(await subject.consume(stream as never, Number.POSITIVE_INFINITY)).toEqual(bare);
    expect(log).toEqual(bareLog);
    expect(tool().stream).toBeDefined();
  });

  it('is recorded in the next run that it is given in', async () => {
    const made = numbers();
    const tool = traceTool('shared by runs', () => made);
    const second = join(directory(), 'second.sftrace');
    await record('agent', { output: path() }, async () => {
      await tool().next();
    });
    await record('agent', { output: second }, async () => {
      await tool().next();
    });
    expect(streamRecords(loadSound(path())).chunks).toEqual([1]);
    expect(streamRecords(loadSound(second)).chunks).toEqual([2]);
  });

  it('is the agent that throws in a loop: the stream is given up, and the run fails with its error', async () => {
    const tool = traceTool('numbers', numbers);
    const own = new TypeError('of the agent');
    const running = record('agent', { output: path() }, async () => {
      for await (const chunk of tool()) if (chunk === 2) throw own;
    });
    await expect(running).rejects.toBe(own);
    const trace = loadSound(path());
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call numbers < 0',
      '2 tool_result numbers < 1',
      '3 error TypeError < 0',
      '4 run_end',
    ]);
    expect(trace.events[2]).toMatchObject({ output: { end: 'cancelled', chunks: [1, 2] } });
  });
});

describe('a process that is killed while it reads a stream', () => {
  it('leaves the chunks that were given', async () => {
    const { signal, stdout } = await run('killed-mid-stream', {
      args: [path()],
      onOutput: (printed, child) => {
        if (printed.includes('given 20\n')) child.kill('SIGKILL');
      },
    });
    expect(signal).toBe('SIGKILL');
    const given = stdout.split('\n').length - 1;
    const [name = ''] = bundlesIn(directory());
    const partial = join(directory(), name);
    expect(loadTrace(partial).status).toBe('running');
    const trace = loadSound(recoverBundle(partial).path);
    expect(outline(trace)).toEqual(['0 run_start', '1 tool_call count < 0']);
    const { chunks, opening } = streamRecords(trace);
    expect(opening?.kind).toBe('async-generator');
    expect(chunks.length).toBeGreaterThanOrEqual(given);
    expect(chunks).toEqual(chunks.map((_, index) => index + 1));
  });
});

describe('a recorder that fails while a stream is read', () => {
  it.each(SUBJECTS)('does not touch it: $name', async (subject) => {
    const plan = { chunks: [1, 2, 3], fails: true };
    const bareLog: string[] = [];
    const bare = await subject.consume(subject.make(plan, bareLog) as never, Number.POSITIVE_INFINITY);
    const log: string[] = [];
    const errors: StepforkError[] = [];
    const tool = traceTool('fails midway', () => subject.make(plan, log));
    const other = traceTool('other', () => 1);
    const output = join(directory(), 'gone', 'run.sftrace');
    const seen = await record('agent', { output, onError: (error) => errors.push(error) }, async () => {
      const stream = tool();
      rmSync(join(directory(), 'gone'), { recursive: true });
      other();
      return subject.consume(stream as never, Number.POSITIVE_INFINITY);
    });
    expect(seen).toEqual(bare);
    expect(log).toEqual(bareLog);
    expect(errors.map(({ code }) => code)).toEqual(['recording_failed']);
  });
});
