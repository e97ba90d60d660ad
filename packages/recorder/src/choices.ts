import { displayText } from '@stepfork/trace-format/write';
import { answerOf } from './boundary/callback.js';
import { describe } from './boundary/describe.js';
import { describeThrown } from './boundary/thrown.js';
import { warnOnce } from './boundary/warning.js';
import { chance } from './clock.js';
import type { Agent, FinishedRun } from './options.js';

/** Whether a run that starts is recorded. A function that throws records it. */
export function isSampled(agent: Agent, input: unknown): boolean {
  const { sample = 1, tags = {} } = agent.options;
  if (typeof sample === 'number') return sample >= 1 || chance(sample);
  return ask(agent, 'sample', () => sample({ agentName: agent.name, input, tags }));
}

/** Whether the bundle of a run that is over is kept. A predicate that throws keeps it. */
export function isKept(agent: Agent, run: Omit<FinishedRun, 'tags'>): boolean {
  const { keep = 'all', tags = {} } = agent.options;
  if (typeof keep === 'function') return ask(agent, 'keep', () => keep({ ...run, tags }));
  return keep === 'all' || run.status === 'failed';
}

/** The agent's own function decides; whatever it does, the agent goes on, and rather too much is recorded. */
function ask(agent: Agent, option: string, question: () => boolean): boolean {
  try {
    return Boolean(answerOf(question()));
  } catch (error) {
    const named = describe({ kind: 'agent', name: agent.name });
    const message = `the option '${option}' of ${named} threw (${displayText(describeThrown(error).message)})`;
    warnOnce(
      'option_failed',
      `${named} ${option}`,
      `${message}; the run is recorded and kept: make it answer every run`,
    );
    return true;
  }
}
