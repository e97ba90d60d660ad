import type { BlobReader } from '@stepfork/trace-format';
import type { LogPoint, PlannedCall } from '../plan/planned-call.js';
import type { Volatility } from '../volatile/volatility.js';

/** What a conversation asks of the run that it is a part of. */
export interface Surroundings {
  /** Whether what followed from the last recorded event is all over. */
  readonly isSettled: () => boolean;
  /** Whether the code that runs now may owe it to a wait of the agent's that is just over. */
  readonly isAfterWait: () => boolean;
  /** Whether a wait of the agent's is going on. */
  readonly isWaiting: () => boolean;
  /** Whether one was over, in the recording, before that time. */
  readonly waitsDueBefore: (time: number) => boolean;
  /** Somebody waits for an answer, or for more of a stream. */
  readonly asked: (what: object) => void;
  readonly answered: (what: object) => void;
  /** Whether the agent has ended: what it still calls came too late for the recorder, too. */
  readonly hasEnded: () => boolean;
  /** What the recording has there has happened. */
  readonly reached: (point: LogPoint) => void;
  /** A recorded event happened. */
  readonly progressed: () => void;
  /** Something may be deliverable that was not before. */
  readonly wake: () => void;
}

/** What a conversation knows of the recording. */
export interface Recording {
  readonly calls: readonly PlannedCall[];
  readonly blobs: BlobReader | undefined;
  readonly volatility: Volatility;
}
