import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FinishedRun, record, startRecording, traceAgent, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const work = traceTool('work', (n: number) => n + 1);

describe('the option keep', () => {
  it("'failed' leaves nothing of a run that completed, and all of one that failed", async () => {
    expect(await record('agent', { output: path(), keep: 'failed' }, () => work(1))).toBe(2);
    expect(readdirSync(directory())).toEqual([]);
    const failing = record('agent', { output: path(), keep: 'failed' }, () => {
      work(1);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const trace = loadSound(path());
    expect([trace.status, eventsOf(trace, 'tool_call').length]).toEqual(['failed', 1]);
  });

  it('asks a predicate what the run came to, because a wrong answer is no exception', async () => {
    const asked: FinishedRun[] = [];
    const agent = traceAgent(
      {
        name: 'agent',
        output: path(),
        tags: { requestId: 'r-1' },
        keep: (run) => {
          asked.push(run);
          return run.status === 'failed' || (run.output as { notify: boolean }).notify === false;
        },
      },
      (notify: boolean) => ({ notify }),
    );
    agent(true);
    expect(bundlesIn(directory())).toEqual([]);
    agent(false);
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toEqual({ notify: false });
    const common = { runId: expect.stringMatching(/^run_/), tags: { requestId: 'r-1' } };
    expect(asked).toEqual([
      { ...common, status: 'completed', output: { notify: true }, error: undefined },
      { ...common, status: 'completed', output: { notify: false }, error: undefined },
    ]);
  });

  it('gives a predicate the very error that was thrown', async () => {
    const error = new RangeError('no');
    const seen: unknown[] = [];
    const keep = (run: FinishedRun): boolean => {
      seen.push(run.error, run.output);
      return false;
    };
    await expect(record('agent', { output: path(), keep }, () => Promise.reject(error))).rejects.toBe(error);
    expect(seen[0]).toBe(error);
    expect(seen[1]).toBeUndefined();
    expect(readdirSync(directory())).toEqual([]);
  });

  it('keeps where the predicate throws, with one warning', async () => {
    const keep = (): boolean => {
      throw new Error('cannot tell');
    };
    expect(await record('undecided', { output: path(), keep }, () => 1)).toBe(1);
    expect(loadSound(path()).status).toBe('completed');
    expect(await warnings('option_failed')).toEqual([
      "the option 'keep' of agent 'undecided' threw (cannot tell); the run is recorded and kept: make it answer every run",
    ]);
  });

  it('leaves the bundle that lies there, where the new one is not kept', async () => {
    await record('agent', { output: path() }, () => 'old');
    await record('agent', { output: path(), overwrite: true, keep: 'failed' }, () => 'new');
    expect(eventsOf(loadSound(path()), 'run_end')[0]?.output).toBe('old');
    expect(readdirSync(directory())).toEqual(['run.sftrace']);
  });

  it('decides on a run that was started by hand', () => {
    const options = { output: path(), keep: 'failed' } as const;
    startRecording('agent', options).end();
    expect(readdirSync(directory())).toEqual([]);
    startRecording('agent', options).fail(new Error('no'));
    expect(loadSound(path()).status).toBe('failed');
  });
});
