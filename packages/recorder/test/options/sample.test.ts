import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { record, type StartingRun, startRecording, traceAgent, traceTool } from '@stepfork/recorder';
import { describe, expect, it } from 'vitest';
import { bundlesIn, eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';
import { collectWarnings } from '../support/warnings.js';

const directory = ownDirectory();
const warnings = collectWarnings();
const path = (name = 'run'): string => join(directory(), `${name}.sftrace`);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const work = traceTool('work', async (of: string) => {
  await sleep(1);
  return `${of}!`;
});

describe('the option sample', () => {
  it('0 records nothing, and the agent runs with a session that works', async () => {
    const output = await record('agent', { output: path(), sample: 0 }, async (session) => {
      session.setOutput(1);
      session.stateChange('k', 1, 2);
      session.llmCall({ model: 'm', input: 1 }).respond(2);
      return `${session.runId.slice(0, 4)} ${await work('x')}`;
    });
    expect(output).toBe('run_ x!');
    expect(readdirSync(directory())).toEqual([]);
  });

  it('1 records, and a share records about that many', async () => {
    await record('agent', { output: path('one'), sample: 1 }, () => 1);
    for (let run = 0; run < 200; run++) await record('agent', { output: path(`run-${run}`), sample: 0.5 }, () => 1);
    // Beyond these bounds in less than one of 10^12 runs.
    const { length } = bundlesIn(directory()).filter((name) => name.startsWith('run-'));
    expect(length).toBeGreaterThan(45);
    expect(length).toBeLessThan(155);
    expect(loadSound(path('one')).status).toBe('completed');
  });

  it('may be a function of what the run is given, asked once when it starts', async () => {
    const asked: StartingRun[] = [];
    const agent = traceAgent(
      {
        name: 'agent',
        output: path(),
        tags: { team: 'x' },
        sample: (run) => {
          asked.push(run);
          return (run.input as { vip: boolean }).vip;
        },
      },
      async ({ vip }: { vip: boolean }) => work(String(vip)),
    );
    await agent({ vip: false });
    expect(bundlesIn(directory())).toEqual([]);
    await agent({ vip: true });
    expect(eventsOf(loadSound(path()), 'tool_call')).toHaveLength(1);
    expect(asked).toEqual([false, true].map((vip) => ({ agentName: 'agent', input: { vip }, tags: { team: 'x' } })));
  });

  it('records where the function throws, with one warning', async () => {
    const sample = (): boolean => {
      throw new Error('cannot tell');
    };
    await record('sampled by chance', { output: path(), sample }, () => 1);
    expect(loadSound(path()).status).toBe('completed');
    expect(await warnings('option_failed')).toHaveLength(1);
  });

  it('keeps the calls of a run that is not recorded out of one that is', async () => {
    const recorded = record('recorded', { output: path() }, () => work('recorded'));
    const unrecorded = record('unrecorded', { sample: 0 }, () => work('unrecorded'));
    const started = (async () => {
      await using session = startRecording('started', { sample: 0 });
      session.setOutput(await work('started'));
    })();
    await Promise.all([recorded, unrecorded, started]);
    expect(eventsOf(loadSound(path()), 'tool_call').map(({ input }) => input)).toEqual([{ args: ['recorded'] }]);
  });

  it('leaves out a run inside a run that is not recorded', async () => {
    await record('outer', { sample: 0 }, () => record('inner', { output: path() }, () => work('x')));
    expect(readdirSync(directory())).toEqual([]);
    expect(await warnings('nested_run')).toEqual([]);
  });

  it('lets what an unrecorded run left behind start a run of its own, without a word', async () => {
    let late: Promise<unknown> = Promise.resolve();
    await record('outer', { sample: 0 }, () => {
      late = sleep(2).then(async () => {
        await work('late');
        return record('later', { output: path() }, () => work('later'));
      });
    });
    await late;
    expect(outline(loadSound(path()))).toEqual([
      '0 run_start',
      '1 tool_call work < 0',
      '2 tool_result work < 1',
      '3 run_end',
    ]);
    expect(await warnings('run_ended')).toEqual([]);
  });

  it('keeps the calls of a traced agent whose path is taken out of another run too', async () => {
    await record('agent', { output: path('taken') }, () => 1);
    const unrecorded = traceAgent({ name: 'no place', output: path('taken') }, () => work('unrecorded'));
    await Promise.all([record('recorded', { output: path() }, () => work('recorded')), unrecorded()]);
    expect(eventsOf(loadSound(path()), 'tool_call').map(({ input }) => input)).toEqual([{ args: ['recorded'] }]);
  });
});
