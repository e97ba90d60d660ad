import { describe, expect, test } from 'vitest';
import { diverged, reportOf } from '../../test/report.js';
import { checkCalledTool, checkCalledTools, checkTakenAtMost, checkTrajectory } from './check-trajectory.js';

const call = (name: string, input: { readonly [key: string]: string }, index: number) => ({
  kind: 'tool' as const,
  name,
  provider: null,
  inputPreview: JSON.stringify(input),
  fingerprint: '0'.repeat(64),
  index,
  action: 'substituted' as const,
  status: 'ok' as const,
  input,
});
const report = reportOf({
  calls: [call('search', { q: 'KTM' }, 0), call('search', { q: 'DEL' }, 1), call('book', { id: 'F1' }, 2)],
});

const LIST = `
the replayed run made 3 calls:
  #1 tool 'search' {"q":"KTM"}: ok
  #2 tool 'search' {"q":"DEL"}: ok
  #3 tool 'book' {"id":"F1"}: ok`;

describe('the checks of calls', () => {
  test('pass for the calls that were made, and say why the opposite is false', () => {
    expect(checkCalledTool(report, 'book')).toEqual({
      pass: true,
      message: `expected tool 'book' not to be called, but it was called once: call #3${LIST}`,
    });
    expect(checkCalledTool(report, 'search', { q: 'DEL' })).toEqual({
      pass: true,
      message: "expected tool 'search' not to be called with these arguments, but call #2 had them",
    });
    expect(checkCalledTools(report, ['search', 'search', 'book'])).toEqual({
      pass: true,
      message: "expected the run not to call 'search', 'search', 'book' in this order, but it did",
    });
    expect(checkCalledTools(report, ['search', 'book'], { strict: false }).pass).toBe(true);
    expect(checkTakenAtMost(report, 3)).toEqual({
      pass: true,
      message: 'expected more than 3 calls of tools and models, but the run made 3',
    });
    expect(checkTrajectory(report, { called: ['book'], counts: { search: 2 }, max_steps: 3 }).pass).toBe(true);
  });

  test('fail with the messages of the trajectory assertions', () => {
    expect(checkCalledTool(report, 'cancel')).toEqual({
      pass: false,
      message: `expected tool 'cancel' to be called, but it was not${LIST}`,
    });
    expect(checkCalledTool(report, 'book', { id: 'F2' }).message).toContain('id: expected "F2", got "F1"');
    expect(checkCalledTools(report, ['search', 'book']).message).toContain(
      "expected exactly the tool calls 'search', 'book', but tool call 2, of 'book', is call #2 of 'search'",
    );
    expect(checkTakenAtMost(report, 2).message).toContain(
      'expected at most 2 calls of tools and models, but the run made 3',
    );
    expect(checkTrajectory(report, { not_called: ['book'], max_steps: 1 }).message).toContain('2 expectations failed:');
  });

  test('B247 are not judged when the calls diverged, not even those that came before', () => {
    const left = { ...diverged([]), calls: report.calls };
    for (const check of [
      checkCalledTool(left, 'search'),
      checkCalledTool(left, 'search', { q: 'KTM' }),
      checkCalledTools(left, ['search', 'search', 'book']),
      checkTakenAtMost(left, 9),
      checkTrajectory(left, {}),
    ]) {
      expect(check).toMatchObject({ pass: false, judged: false });
      expect(check.message).toMatch(/^trajectory not judged, the replay diverged: call #1/);
    }
  });

  test('an expectation that is none is refused, before anything is judged', () => {
    expect(() => checkTakenAtMost(diverged([]), -1)).toThrow(expect.objectContaining({ code: 'bad_expectation' }));
    const misspelt = { max_step: 1 } as object;
    expect(() => checkTrajectory(report, misspelt)).toThrow(/may only have the keys/);
  });

  test('what is no report is refused by the name of the matcher', () => {
    expect(() => checkCalledTool({}, 'x')).toThrow(/^toHaveCalledTool\(\) judges what replayCase\(\) resolved to/);
    expect(() => checkTrajectory(undefined, {})).toThrow(/^toHaveTrajectory\(\)/);
  });
});
