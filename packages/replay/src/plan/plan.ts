import { createRedactor, type RedactOptions } from '@stepfork/redact';
import {
  type BlobReader,
  isStepforkError,
  pairCalls,
  type RecordedCall,
  type RedactedEvent,
  StepforkError,
  type Trace,
  type TraceEvent,
} from '@stepfork/trace-format';
import { Volatility, type VolatilityOptions } from '../volatile/volatility.js';
import { ambiguities } from './ambiguity.js';
import { answerForms } from './answer-form.js';
import { type CallIdentity, fingerprintOf, identityOf } from './key.js';
import type { PlannedCall } from './planned-call.js';
import { plannedStreams } from './planned-stream.js';
import { promptPlaces } from './prompt-places.js';
import { type RecordedRun, recordedRun } from './recorded-run.js';
import { recordedTurns } from './recorded-turns.js';
import { matchingRules } from './redaction-rules.js';
import { type RunRemarks, remarksIn } from './remarks.js';
import { type Timeline, timelineOf } from './timeline.js';

/** Everything a replay wants to know of a recording, worked out beforehand. */
export interface ReplayPlan {
  readonly run: RecordedRun;
  /** In file order. */
  readonly calls: readonly PlannedCall[];
  /** Where the recording keeps bytes that are too many to stand in it. */
  readonly blobs: BlobReader | undefined;
  /** How live inputs are to be redacted so that they compare with the recorded ones. */
  readonly redaction: RedactOptions;
  /** What of the calls' inputs is not compared. */
  readonly volatility: Volatility;
  /** What the recorder remarked of the run. */
  readonly remarks: RunRemarks;
  /** The recording was made under redaction rules that this plan does not know. */
  readonly foreignRedaction: boolean;
}

export interface PlanOptions extends VolatilityOptions {
  /** The rules the run was recorded under, where they were not the default ones. */
  readonly redact?: RedactOptions | undefined;
}

/**
 * Works out how a trace is to be replayed.
 *
 * @throws StepforkError `not_canonical` for a payload that has no canonical form (a lone surrogate), `bad_option`
 */
export function createPlan(trace: Trace, options: PlanOptions = {}): ReplayPlan {
  const timeline = timelineOf(trace);
  const { rules, foreign } = matchingRules(trace, options.redact);
  const volatility = new Volatility(options);
  const recorded = pairCalls(trace.events);
  const prompt = promptPlaces(recordedTurns(trace, recorded, timeline));
  const streams = plannedStreams(trace, recorded, timeline, prompt);
  const remarks = remarksIn(trace);
  const identify = (event: TraceEvent): CallIdentity => identityOf(event, volatility);
  const redacted = redactAll(trace.events, rules);
  const drafts = draftCalls(recorded, timeline, redacted, remarks, identify).map((draft, index) => ({
    ...draft,
    stream: streams[index] ?? null,
  }));
  volatility.check(drafts);
  const forms = answerForms(trace, recorded);
  const unclear = ambiguities(drafts);
  return {
    run: recordedRun(trace, timeline),
    calls: drafts.map((draft, index) => ({
      ...draft,
      form: forms[index] ?? null,
      ambiguity: unclear[index] ?? 'none',
      isPrompt: draft.end !== null && prompt.has(draft.end.position),
    })),
    blobs: trace.blobs,
    redaction: rules,
    volatility,
    remarks,
    foreignRedaction: foreign,
  };
}

type Draft = Omit<PlannedCall, 'form' | 'ambiguity' | 'isPrompt' | 'stream'>;

function draftCalls(
  recorded: readonly RecordedCall[],
  timeline: Timeline,
  redacted: readonly RedactedEvent[],
  remarks: RunRemarks,
  identify: (event: TraceEvent) => CallIdentity,
): readonly Draft[] {
  return recorded.map((call) => {
    const made = (redacted[call.position] as RedactedEvent).event;
    const identity = identify(made);
    const { index, frame, policy, event, outcome } = call;
    return {
      index,
      ...identity,
      redacted: isRedacted(made),
      fingerprint: fingerprint(call, identity),
      frame,
      // Frozen: every call is answered from the recording, so no body runs that could make a nested one.
      hidden: frame !== null || remarks.manual.has(event.id),
      manual: remarks.manual.has(event.id),
      isAborted: remarks.aborted.has(event.id),
      detached: outlives(call, recorded),
      policy,
      event,
      start: timeline.ofEvent(call.position),
      end: outcome === null ? null : timeline.ofEvent(outcome.position),
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

function isRedacted({ redactions }: TraceEvent): boolean {
  return redactions.some((path) => path === '/input' || path.startsWith('/input/'));
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
