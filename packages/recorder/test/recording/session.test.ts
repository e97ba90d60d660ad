import { join } from 'node:path';
import { record, traceTool } from '@stepfork/recorder';
import { fromTraceValue } from '@stepfork/trace-format';
import { describe, expect, it } from 'vitest';
import { eventsOf, loadSound, outline, ownDirectory } from '../support/bundles.js';

const directory = ownDirectory();
const path = (): string => join(directory(), 'run.sftrace');

describe('a session', () => {
  it('records changes of state and errors under the call that they happened in', async () => {
    await record('agent', { output: path() }, (session) => {
      const plan = traceTool('plan', () => {
        session.stateChange('phase', undefined, { step: 1 });
        session.error('odd');
      });
      plan();
      session.stateChange('phase', { step: 1 }, null);
    });
    const trace = loadSound(path());
    expect(outline(trace)).toEqual([
      '0 run_start',
      '1 tool_call plan < 0',
      '2 state_change < 1',
      '3 error string < 1',
      '4 tool_result plan < 1',
      '5 state_change < 0',
      '6 run_end',
    ]);
    const [first, second] = eventsOf(trace, 'state_change');
    expect(first).toMatchObject({ key: 'phase', after: { step: 1 } });
    expect(fromTraceValue(first?.before ?? null)).toBeUndefined();
    expect(second).toMatchObject({ before: { step: 1 }, after: null });
    expect(eventsOf(trace, 'error')[0]).toMatchObject({ message: 'odd', details: 'odd', status: 'error' });
    expect(trace).toMatchObject({ status: 'completed', failure: null });
  });

  it('B178 refuses to be used after its run has ended', async () => {
    const session = await record('agent', { output: path() }, (given) => given);
    for (const use of [
      () => session.setOutput(1),
      () => session.stateChange('k', 1, 2),
      () => session.error(new Error('late')),
    ]) {
      expect(use).toThrow(expect.objectContaining({ code: 'session_ended' }));
    }
    expect(eventsOf(loadSound(path()), 'run_end')).toHaveLength(1);
  });
});
