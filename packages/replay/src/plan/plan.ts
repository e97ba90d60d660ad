import { createRedactor, type RedactOptions } from '@stepfork/redact';
import {
  InternalError,
  isStepforkError,
  pairCalls,
  type RecordedCall,
  type RedactedEvent,
  StepforkError,
  type Trace,
  type TraceEvent,
} from '@stepfork/trace-format';
import { ambiguities } from './ambiguity.js';
import { answerForms } from './answer-form.js';
import { type CallIdentity, fingerprintOf } from './key.js';
import type { LogPoint, PlannedCall } from './planned-call.js';
import { promptOutcomes } from './prompt-outcomes.js';
import { type RecordedRun, recordedRun } from './recorded-run.js';
import { matchingRules } from './redaction-rules.js';
import { timelineOf } from './timeline.js';

/** Everything a replay wants to know of a recording, worked out beforehand. Plain data. */
export interface ReplayPlan {
  readonly run: RecordedRun;
  /** In file order. */
  readonly calls: readonly PlannedCall[];
  /** How live inputs are to be redacted so that they compare with the recorded ones. */
  readonly redaction: RedactOptions;
  /** The recording was made under redaction rules that this plan does not know. */
  readonly foreignRedaction: boolean;
}

export interface PlanOptions {
  /** The rules the run was recorded under, where they were not the default ones. */
  readonly redact?: RedactOptions | undefined;
}

/**
 * Works out how a trace is to be replayed.
 *
 * @throws StepforkError `not_canonical` for a payload that has no canonical form (a lone surrogate).
 */
export function createPlan(trace: Trace, options: PlanOptions = {}): ReplayPlan {
  const timeline = timelineOf(trace.events);
  const { rules, foreign } = matchingRules(trace, options.redact);
  const recorded = pairCalls(trace.events);
  const drafts = draftCalls(recorded, timeline, redactAll(trace.events, rules));
  const forms = answerForms(trace, recorded);
  const unclear = ambiguities(drafts);
  const prompt = promptOutcomes(trace, recorded);
  return {
    run: recordedRun(trace, timeline),
    calls: drafts.map((draft, index) => ({
      ...draft,
      form: forms[index] ?? null,
      ambiguity: unclear[index] ?? 'none',
      isPrompt: prompt[index] === true,
    })),
    redaction: rules,
    foreignRedaction: foreign,
  };
}

type Draft = Omit<PlannedCall, 'form' | 'ambiguity' | 'isPrompt'>;

function draftCalls(
  recorded: readonly RecordedCall[],
  timeline: readonly number[],
  redacted: readonly RedactedEvent[],
): readonly Draft[] {
  const point = (position: number): LogPoint => ({ position, time: timeline[position] ?? 0 });
  return recorded.map((call) => {
    const identity = redactedIdentity(redacted[call.position] as RedactedEvent);
    const { index, frame, policy, event, outcome } = call;
    return {
      index,
      ...identity,
      fingerprint: fingerprint(call, identity),
      frame,
      // Frozen: every call is answered from the recording, so no body runs that could make a nested one.
      hidden: frame !== null,
      detached: outlives(call, recorded),
      policy,
      event,
      start: point(call.position),
      end: outcome === null ? null : point(outcome.position),
      outcome,
      holdsSecrets: outcome !== null && redacted[outcome.position]?.findings.length !== 0,
    };
  });
}

/**
 * The events as the recorder's own rules leave them; a bundle's are redacted already, and stay as they are. All of
 * them, in order: what is found to be secret in one is looked for in those that follow.
 */
function redactAll(events: readonly TraceEvent[], rules: RedactOptions): readonly RedactedEvent[] {
  const redactor = createRedactor(rules);
  return events.map((event) => redactor.redactEvent(event));
}

function redactedIdentity({ event }: RedactedEvent): CallIdentity & Pick<Draft, 'redacted'> {
  const redacted = event.redactions.some((path) => path === '/input' || path.startsWith('/input/'));
  if (event.type === 'tool_call') {
    return { kind: 'tool', name: event.name, provider: null, input: event.input, redacted };
  }
  if (event.type === 'llm_request') {
    return { kind: 'llm', name: event.model, provider: event.provider, input: event.input, redacted };
  }
  throw new InternalError(`a ${event.type} event was taken for a call`);
}

function fingerprint(call: RecordedCall, identity: CallIdentity): string {
  try {
    return fingerprintOf(identity);
  } catch (error) {
    if (!isStepforkError(error, 'not_canonical')) throw error;
    throw new StepforkError('not_canonical', `event ${call.event.id}: the input cannot be compared: ${error.message}`, {
      details: { event_id: call.event.id },
      cause: error,
    });
  }
}

/** Whether the call was still going on when the call around it had ended. */
function outlives(call: RecordedCall, all: readonly RecordedCall[]): boolean {
  const around = call.frame === null ? null : (all[call.frame]?.outcome ?? null);
  return around !== null && (call.outcome === null || call.outcome.position > around.position);
}
