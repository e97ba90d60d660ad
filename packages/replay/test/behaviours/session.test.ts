import { record, traceTool } from '@stepfork/recorder';
import { loadTrace } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { assertReplay, type ReplayOptions, replay } from '../../src/index.js';
import { bundlePath } from '../recording.js';
import { call, result, traceOf } from './traces.js';

let bodies = 0;
const step = traceTool('step', (n: number) => {
  bodies++;
  return `live ${n}`;
});
const later = traceTool('later', async (n: number) => n);

/** Two calls that were recorded one after the other. */
const TWO = traceOf(
  call('step', { args: [1] }, { id: 'a' }),
  result('step', 'one', { under: 'a' }),
  call('step', { args: [2] }, { id: 'b' }),
  result('step', 'two', { under: 'b' }),
);

/** Options as JavaScript callers may give them. */
function anyOptions(options: Record<string, unknown>): ReplayOptions {
  return options;
}

describe('the mode', () => {
  it('B209 derived is refused by name, and nothing runs', async () => {
    let ran = false;
    const refused = replay(
      TWO,
      () => {
        ran = true;
      },
      anyOptions({ mode: 'derived' }),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'bad_option',
      message: "mode 'derived' is read in bundles but not replayed; use 'frozen', or 'hybrid' for single LLMs",
    });
    expect(ran).toBe(false);
  });

  it('B209 frozen is the default, and may be said', async () => {
    const agent = (): unknown => [step(1), step(2)];
    expect((await replay(TWO, agent)).verdict).toBe('matched');
    expect((await replay(TWO, agent, { mode: 'frozen' })).verdict).toBe('matched');
  });
});

describe('a replay', () => {
  it('B218 has one cursor for all calls under order strict, and none by default', async () => {
    const trace = traceOf(
      call('later', { args: [1] }, { id: 'a' }),
      call('later', { args: [2] }, { id: 'b' }),
      result('later', 1, { under: 'a' }),
      result('later', 2, { under: 'b' }),
    );
    const swapped = (): unknown => Promise.all([later(2), later(1)]);
    expect((await replay(trace, swapped)).verdict).toBe('matched');
    expect((await replay(trace, swapped, { order: 'strict' })).divergence).toMatchObject({
      code: 'reordered',
      message: "call #1: tool 'later' was called with another input: at 'args[0]' recorded 1, got 2",
    });
  });

  it('B219 keeps its first divergence though the agent swallows it', async () => {
    const report = await replay(TWO, () => {
      for (const n of [1, 7, 8]) {
        try {
          step(n);
        } catch {
          // As agents do.
        }
      }
      return 'fine';
    });
    expect(report).toMatchObject({ verdict: 'diverged', output: 'fine', divergence: { position: 2 } });
    expect(() => assertReplay(report)).toThrow("at 'args[0]' recorded 2, got 7");
  });

  it('B220 that has ended refuses every later call, and its trace can be replayed again from the start', async () => {
    let late: Promise<unknown> = Promise.resolve();
    let end = (): void => {};
    const agent = (): unknown => {
      late = new Promise<void>((resolve) => {
        end = resolve;
      }).then(() => later(3));
      late.catch(() => {});
      return [step(1), step(2)];
    };
    expect((await replay(TWO, agent)).verdict).toBe('matched');
    end();
    await expect(late).rejects.toMatchObject({
      code: 'replay_ended',
      message: "tool 'later' was called after its replay had ended, so it was not run; await it inside the agent",
    });
    expect((await replay(TWO, agent)).verdict).toBe('matched');
  });

  it('B221 wins over a recording that is going on', async () => {
    const output = bundlePath();
    bodies = 0;
    const report = await record('outer', { output }, () => replay(TWO, () => [step(1), step(2)]));
    expect(report.output).toEqual(['one', 'two']);
    expect(bodies).toBe(0);
    expect(loadTrace(output).totals.tool_calls).toBe(0);
  });

  it('B222 lists its calls: index, kind, name, redacted input, action and status', async () => {
    const report = await replay(TWO, () => {
      step(1);
      traceTool('login', () => 1)();
    });
    expect(report.calls).toMatchObject([
      { index: 0, kind: 'tool', name: 'step', input: { args: [1] }, action: 'substituted', status: 'ok' },
      { index: null, kind: 'tool', name: 'login', input: {}, action: 'refused', status: 'error' },
    ]);
  });

  it('B222 redacts the inputs that it lists', async () => {
    const login = traceTool('login', (input: { password: string }) => input);
    const report = await replay(TWO, () => login({ password: 'hunter2-hunter2' }));
    expect(report.calls[0]?.input).toEqual({ password: '[REDACTED]' });
  });

  it.each([
    [200, '"}'],
    [201, '…'],
  ])('B223 shows an input of %i characters up to %j', async (length, end) => {
    const input = { text: 'x'.repeat(length - '{"text":""}'.length) };
    const report = await replay(TWO, () => traceTool('write', (_: typeof input) => 1)(input));
    const preview = report.calls[0]?.inputPreview ?? '';
    expect(preview.length).toBe(200);
    expect(preview.startsWith('{"text":"xxx')).toBe(true);
    expect(preview.endsWith(end)).toBe(true);
  });
});
