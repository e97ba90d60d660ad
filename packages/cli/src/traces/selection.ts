import { StepforkError } from '@stepfork/trace-format/write';
import type { Run } from './glance.js';

/** Which runs are wanted. What is absent does not matter. */
export interface Selection {
  readonly failed?: boolean | undefined;
  readonly completed?: boolean | undefined;
  readonly agent?: string | undefined;
  readonly tag?: readonly Tag[] | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export type Tag = readonly [name: string, value: string];

/** `name=value`, for a flag. */
export function parseTag(text: string): Tag {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw new StepforkError('usage', `'--tag' must read <name>=<value>, not '${text}'. Write it as release=1.4.`);
}

export function selects(selection: Selection, run: Run): boolean {
  const { failed, completed, agent, tag = [], since } = selection;
  if (failed && run.status !== 'failed') return false;
  if (completed && run.status !== 'completed') return false;
  if (agent !== undefined && run.agent_name !== agent) return false;
  if (since !== undefined && run.createdAt < since) return false;
  return tag.every(([name, value]) => Object.hasOwn(run.tags, name) && run.tags[name] === value);
}

/** Whether there is anything that is not wanted. */
export function isSelective({ tag, ...single }: Selection): boolean {
  return (tag?.length ?? 0) > 0 || Object.values(single).some((value) => value !== undefined && value !== false);
}
