import type { BoundaryCall } from '@stepfork/recorder/boundary';
import { StepforkError } from '@stepfork/trace-format';
import { isSameFunction } from '../match/find-match.js';
import type { PlannedCall } from '../plan/planned-call.js';
import { labelOf } from '../report/call-view.js';
import type { Divergence } from '../report.js';
import { answerForm } from './answer-form.js';
import type { LiveCall } from './live-call.js';
import { type Reply, rejectedLater, rejecting, returning, throwing } from './reply.js';
import { createFailingAsyncGenerator, createFailingGenerator } from './streams/generators.js';

/** What the call at which a replay diverged throws. */
export function atDivergence(divergence: Divergence): StepforkError {
  return new StepforkError('replay_divergence', divergence.message, { details: { divergence } });
}

/** What every later call throws. */
export function afterDivergence(live: LiveCall, divergence: Divergence): StepforkError {
  const message = `${labelOf(live)} was not answered, since the replay had diverged: ${divergence.message}`;
  return new StepforkError('replay_divergence', message, { details: { divergence } });
}

/** What a call throws that comes when the run is over and that the recording does not hold. */
export function afterTheEnd(live: LiveCall): StepforkError {
  const message = `${labelOf(live)} was called after the agent had ended, so it was not run; await it inside the agent`;
  return new StepforkError('replay_ended', message);
}

/** Throws, or rejects where the function answers with a promise; a generator does so at its first step. */
export function refuseBy(refusal: Error, call: BoundaryCall, recorded: readonly PlannedCall[]): Reply {
  if (call.answers === 'async-generator') return returning(createFailingAsyncGenerator(() => rejectedLater(refusal)));
  const like = recorded.find((each) => isSameFunction(each, call)) ?? null;
  return answerForm(call, like) === 'value' ? throwingFrom(call, refusal) : rejecting(refusal);
}

/** Throws as the function would: one that is a generator does so at its first step. */
export function throwingFrom({ answers }: Pick<BoundaryCall, 'answers'>, thrown: unknown): Reply {
  switch (answers) {
    case 'generator':
      return returning(createFailingGenerator(thrown));
    case 'async-generator':
      return returning(createFailingAsyncGenerator(() => Promise.reject(thrown)));
    default:
      return throwing(thrown);
  }
}
